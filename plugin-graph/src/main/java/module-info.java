import org.jspecify.annotations.NullMarked;

/**
 * Filters over the graph of positives for PECF: softmax factors, and polynomials of the graph of
 * items.
 *
 * @provides org.pecf.api.filter.BaseFilterProvider
 */
@NullMarked
module org.pecf.plugin.graph {
  requires org.pecf.api;

  provides org.pecf.api.filter.BaseFilterProvider with
      org.pecf.plugin.graph.SoftmaxProvider,
      org.pecf.plugin.graph.GraphFilterProvider;
}
