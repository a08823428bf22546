/** The command line of PECF. */
module org.pecf.cli {
  requires org.pecf.engine;
  requires info.picocli;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.dataformat.yaml;
}
