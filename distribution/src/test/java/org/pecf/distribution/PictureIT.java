package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's picture of a first run, which this test draws. Its numbers may differ in the last
 * digits from machine to machine, so only words and layout are compared; times are not shown.
 */
class PictureIT {
  private static final String ACCEPT = "pecf.accept.picture";
  private static final int LINE = 18;
  private static final double CHARACTER = 7.9;
  private static final int MARGIN = 16;

  @TempDir private Path folder;

  private static String svg(List<String> lines) {
    int columns = lines.stream().mapToInt(String::length).max().orElse(0);
    int width = (int) Math.ceil(2 * MARGIN + CHARACTER * columns);
    int height = 2 * MARGIN + LINE * lines.size();
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " viewBox=\"0 0 %d %d\" font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans"
                + " Mono', monospace\" font-size=\"13\" role=\"img\">%n",
            width,
            height,
            width,
            height));
    svg.append("<title>The output of ./pecf-run</title>\n");
    svg.append("<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2430\"/>\n");
    for (int k = 0; k < lines.size(); k++) {
      String line = lines.get(k);
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\" fill=\"%s\">%s</text>%n",
              MARGIN,
              MARGIN + LINE * k + 13,
              line.startsWith("$ ") ? "#8fd694" : "#e6e6e6",
              line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")));
    }
    return svg.append("</svg>\n").toString().replace("\r\n", "\n");
  }

  /** Return what of a picture does not depend on the machine. */
  private static String compared(String svg) {
    return svg.replaceAll("(width|height|viewBox)=\"[^\"]*\"", "")
        .replaceAll("[0-9.:*]+", "#")
        .replaceAll("[ -]+", " ");
  }

  @Test
  void thePictureShowsWhatARunPrints() throws Exception {
    String out = Distribution.in(folder).with("COLUMNS", "80").run().expectExit(0).out();
    String shown = "$ ./pecf-run\n" + out.replaceAll("\\d+\\.\\d+ s", "-.-- s");
    String drawn = svg(shown.stripTrailing().lines().toList());
    Path picture = Path.of(System.getProperty("pecf.docs"), "images", "pecf-run.svg");
    if (Boolean.getBoolean(ACCEPT)) {
      Files.writeString(picture, drawn);
    }
    assertEquals(
        compared(Files.readString(picture)),
        compared(drawn),
        "The README's picture is stale. Draw it anew: mvn -B verify -D"
            + ACCEPT
            + "=true -Dit.test=PictureIT -DfailIfNoTests=false -pl distribution");
  }
}
