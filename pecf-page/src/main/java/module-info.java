import org.jspecify.annotations.NullMarked;

/** Pages of charts and tables, each a file that needs no other file and no network. */
@NullMarked
module org.pecf.page {
  requires com.fasterxml.jackson.databind;
  requires static transitive org.jspecify;

  exports org.pecf.page;

  opens org.pecf.page to
      com.fasterxml.jackson.databind;
}
