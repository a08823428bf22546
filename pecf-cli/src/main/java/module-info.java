import org.jspecify.annotations.NullMarked;

/** The command line of PECF: options, progress display, reports. */
@NullMarked
module org.pecf.cli {
  requires org.pecf.serve;
  requires org.pecf.study;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.yaml;
  requires info.picocli;
  requires org.apache.logging.log4j;
  requires jdk.management;
  requires jdk.unsupported;

  opens org.pecf.cli to
      info.picocli;
  opens org.pecf.cli.command to
      info.picocli;
  opens org.pecf.cli.report to
      com.fasterxml.jackson.databind;
  opens org.pecf.cli.run to
      com.fasterxml.jackson.databind;
}
