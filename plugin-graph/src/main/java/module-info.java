import org.jspecify.annotations.NullMarked;

/**
 * Softmax factors for PECF.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.graph {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.graph.SoftmaxProvider;
}
