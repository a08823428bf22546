import org.jspecify.annotations.NullMarked;

/**
 * Uses of a stored model: lists for its users and for new ones, explanations, similar items, its
 * metrics on data, and its update with new data.
 */
@NullMarked
module org.pecf.recommend {
  requires transitive org.pecf.engine;

  exports org.pecf.recommend;
  exports org.pecf.recommend.update;
}
