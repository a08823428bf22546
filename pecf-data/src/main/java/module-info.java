import org.jspecify.annotations.NullMarked;

/** Data: ratings become datasets with identifiers and positives, and datasets become splits. */
@NullMarked
module org.pecf.data {
  requires transitive org.pecf.platform;

  exports org.pecf.data;
  exports org.pecf.data.split;
}
