package org.pecf.distribution;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * List of the tests that a build has skipped, with the reasons, from the reports of its modules.
 */
public final class SkippedTests {
  private static final List<String> FOLDERS =
      List.of("target/surefire-reports", "target/failsafe-reports");

  private SkippedTests() {}

  /**
   * Print the list.
   *
   * @param arguments the folder of the project
   */
  public static void main(String[] arguments) throws IOException {
    print(Path.of(arguments[0]), System.out);
  }

  static void print(Path root, PrintStream out) throws IOException {
    List<Path> reports = reports(root);
    if (reports.isEmpty()) {
      out.println("no test was run");
      return;
    }
    List<String> skipped = new ArrayList<>();
    for (Path report : reports) {
      skipped.addAll(skipped(report));
    }
    if (skipped.isEmpty()) {
      out.println("no test was skipped");
      return;
    }
    out.println(
        skipped.size() == 1 ? "1 test was skipped:" : skipped.size() + " tests were skipped:");
    skipped.forEach(out::println);
  }

  /** Return the reports of all modules, without those that earlier builds have left. */
  private static List<Path> reports(Path root) throws IOException {
    Path started = root.resolve("target/build-started");
    FileTime earliest =
        Files.exists(started) ? Files.getLastModifiedTime(started) : FileTime.fromMillis(0);
    List<Path> reports = new ArrayList<>();
    for (Path module : list(root)) {
      for (String folder : FOLDERS) {
        for (Path file : list(module.resolve(folder))) {
          if (file.getFileName().toString().matches("TEST-.*\\.xml")
              && Files.getLastModifiedTime(file).compareTo(earliest) >= 0) {
            reports.add(file);
          }
        }
      }
    }
    return reports;
  }

  private static List<Path> list(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static List<String> skipped(Path report) throws IOException {
    try {
      Document document =
          DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report.toFile());
      NodeList found = document.getElementsByTagName("skipped");
      List<String> lines = new ArrayList<>();
      if (document.getElementsByTagName("testcase").getLength() == 0) {
        // So are the tests of a class reported that were skipped before the first of them.
        lines.add(document.getDocumentElement().getAttribute("name") + ": none of its tests ran");
      }
      for (int k = 0; k < found.getLength(); k++) {
        Element skipped = (Element) found.item(k);
        Element test = (Element) skipped.getParentNode();
        String method = test.getAttribute("name");
        lines.add(
            test.getAttribute("classname")
                + (method.isEmpty() ? "" : "." + method)
                + ": "
                + reason(skipped));
      }
      return lines;
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(report + " cannot be read", e);
    }
  }

  /** Return the reason without the name of the exception that carried it. */
  private static String reason(Element skipped) {
    String message = skipped.getAttribute("message");
    String text = message.isBlank() ? skipped.getTextContent() : message;
    return text.strip()
        .lines()
        .findFirst()
        .map(line -> line.replaceFirst("^[\\w.]+Exception: ", ""))
        .map(line -> line.replaceFirst("^Assumption failed: ", ""))
        .orElse("no reason given");
  }
}
