/** What compute backends of PECF have in common. */
module org.pecf.backend.base {
  requires transitive org.pecf.api;

  exports org.pecf.backend.base;
}
