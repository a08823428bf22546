package org.pecf.study.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.pecf.engine.file.OutputFile;
import org.pecf.study.page.Page.Block.Steps;
import org.pecf.study.page.Page.Block.Words;

/**
 * A page of sections, which becomes one file of HTML with its style and scripts in it. It needs
 * nothing else: its security policy forbids requests. All texts are escaped.
 *
 * @param title the title
 * @param lead the first words
 * @param sections the sections
 * @param footer the last words
 * @param growing whether the file is still being rewritten, so that the page reloads itself
 */
public record Page(
    String title, String lead, List<Section> sections, String footer, boolean growing) {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);

  private static final Pattern NUMBER =
      Pattern.compile("([-−+±<] ?)?[\\d,.]+([e×%].*| %| s| MB| ± [\\d.]+)?|–");

  /** The end of a part of a compound word, such as a path or the key of an option. */
  private static final Pattern PART_END = Pattern.compile("(?<=\\w{3})[./@](?=\\w{3})");

  private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;\\R");

  private static final List<String> SCRIPTS = List.of("elements.js", "tables.js", "charts.js");

  /** The fewest rows of a table that is worth sorting. */
  private static final int SORTED_ROWS = 3;

  /** A part of a section: words, a table, a chart, or the steps that are done. */
  public sealed interface Block permits Block.Steps, Block.Words, Chart, Table {
    /**
     * A paragraph.
     *
     * @param text the words, plain
     */
    record Words(String text) implements Block {}

    /**
     * How many of the steps of some work are done, as a bar and in words.
     *
     * @param words the words beside the bar
     * @param done how many are done
     * @param all how many there are
     */
    record Steps(String words, int done, int all) implements Block {}
  }

  public Page {
    sections = List.copyOf(sections);
  }

  /** Make a page that is complete. */
  public Page(String title, String lead, List<Section> sections, String footer) {
    this(title, lead, sections, footer, false);
  }

  /**
   * A section.
   *
   * @param title its title
   * @param blocks its content, in order
   */
  public record Section(String title, List<Block> blocks) {
    public Section {
      blocks = List.copyOf(blocks);
    }
  }

  /** Return one of the files that pages are made of, for pages that are served. */
  public static String resource(String name) {
    try (InputStream input = Page.class.getResourceAsStream(name)) {
      if (input == null) {
        throw new IllegalArgumentException("there is no part of pages named " + name);
      }
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Write the page to a file, which appears when it is complete. */
  public void write(Path file) {
    OutputFile.at(file).write(html());
  }

  /** Return the page as HTML. */
  public String html() {
    Map<String, Chart> charts = new LinkedHashMap<>();
    StringBuilder main = new StringBuilder();
    StringBuilder contents = new StringBuilder();
    for (int k = 0; k < sections.size(); k++) {
      Section section = sections.get(k);
      contents.append("<li><a href=\"#s%d\">%s</a></li>%n".formatted(k, escape(section.title())));
      main.append(
          "<section aria-labelledby=\"s%d\">%n<h2 id=\"s%d\">%s</h2>%n<div class=\"blocks\">%n"
              .formatted(k, k, escape(section.title())));
      for (Block block : section.blocks()) {
        main.append(html(block, charts)).append('\n');
      }
      main.append("</div>\n</section>\n");
    }
    return String.join(
        "\n",
        "<!doctype html>",
        "<html lang=\"en\">",
        "<head>",
        "<meta charset=\"utf-8\">",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
            + " 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">",
        "<link rel=\"icon\" href=\"data:,\">",
        "<title>" + escape(title) + "</title>",
        "<style>" + resource("page.css") + "</style>",
        "</head>",
        "<body>",
        "<a class=\"skip\" href=\"#main\">Skip to the content</a>",
        "<header>",
        "<h1>" + escape(title) + "</h1>",
        "<p class=\"lead\">" + escape(lead) + "</p>",
        "<nav aria-label=\"Contents\"><ul>" + contents + "</ul></nav>",
        "</header>",
        "<main id=\"main\">",
        main + "</main>",
        "<footer><p>" + escape(footer) + "</p></footer>",
        "<script type=\"application/json\" id=\"charts\">" + json(charts) + "</script>",
        "<script type=\"module\">" + script() + "</script>",
        "</body>",
        "</html>",
        "");
  }

  /** Return the scripts joined into one without imports. */
  private String script() {
    List<String> scripts = new ArrayList<>(SCRIPTS);
    if (growing) {
      scripts.add("follow.js");
    }
    StringBuilder all = new StringBuilder();
    scripts.forEach(name -> all.append(IMPORT.matcher(resource(name)).replaceAll("")));
    return all.append("drawAll();\nworkTables();\n")
        .append(growing ? "follow();\n" : "")
        .toString();
  }

  private static String html(Block block, Map<String, Chart> charts) {
    if (block instanceof Words words) {
      return "<p>" + escape(words.text()) + "</p>";
    }
    if (block instanceof Table table) {
      return scroll(table, true);
    }
    if (block instanceof Steps steps) {
      return "<div class=\"steps\"><progress aria-label=\"Progress\" value=\"%d\" max=\"%d\"></progress><p>%s</p></div>"
          .formatted(steps.done(), Math.max(1, steps.all()), escape(steps.words()));
    }
    Chart chart = (Chart) block;
    String id = "c" + charts.size();
    charts.put(id, chart);
    return String.join(
        "\n",
        "<figure>",
        "<figcaption>" + escape(chart.title()) + "</figcaption>",
        chart.note().isEmpty() ? "" : "<p class=\"note\">" + escape(chart.note()) + "</p>",
        "<div class=\"plot\" data-chart=\"" + id + "\"></div>",
        "<details><summary>Values as a table</summary>",
        scroll(chart.table(), false) + "</details>",
        "</figure>");
  }

  private static String scroll(Table table, boolean captioned) {
    return "<div class=\"scroll\" role=\"group\" aria-label=\"%s\">%s</div>"
        .formatted(escape(table.caption()), html(table, captioned));
  }

  private static String html(Table table, boolean captioned) {
    StringBuilder html = new StringBuilder();
    boolean sorted = table.rows().size() >= SORTED_ROWS;
    html.append(sorted ? "<table class=\"sortable\">" : "<table>");
    if (captioned) {
      html.append("<caption>").append(escape(table.caption())).append("</caption>");
    }
    List<Boolean> numbers = new ArrayList<>();
    for (int column = 0; column < table.heads().size(); column++) {
      int place = column;
      numbers.add(
          !table.rows().isEmpty()
              && table.rows().stream()
                  .allMatch(row -> NUMBER.matcher(row.get(place).text()).matches()));
    }
    html.append("<thead><tr>");
    for (int column = 0; column < table.heads().size(); column++) {
      html.append("<th scope=\"col\"").append(numbers.get(column) ? " class=\"number\">" : ">");
      html.append(escape(table.heads().get(column))).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>");
    for (List<Table.Cell> row : table.rows()) {
      html.append("<tr>");
      for (int column = 0; column < row.size(); column++) {
        Table.Cell cell = row.get(column);
        String kind = (numbers.get(column) ? "number" : "") + (cell.marked() ? " marked" : "");
        String tag = column == 0 ? "th" : "td";
        html.append('<').append(tag).append(column == 0 ? " scope=\"row\"" : "");
        html.append(kind.isEmpty() ? ">" : " class=\"" + kind.strip() + "\">");
        html.append(breakable(cell.text())).append("</").append(tag).append('>');
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table>").toString();
  }

  /** Return the data of charts as JSON that cannot end the script element around it. */
  private static String json(Map<String, Chart> charts) {
    try {
      Map<String, Object> described = new LinkedHashMap<>();
      for (Map.Entry<String, Chart> chart : charts.entrySet()) {
        Map<String, Object> fields =
            JSON.convertValue(
                chart.getValue(),
                JSON.getTypeFactory()
                    .constructMapType(LinkedHashMap.class, String.class, Object.class));
        fields.put("kind", chart.getValue().kind());
        described.put(chart.getKey(), fields);
      }
      return JSON.writeValueAsString(described).replace("\"NaN\"", "null").replace("<", "\\u003c");
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a chart cannot be written as JSON", e);
    }
  }

  /** Return the HTML of a text, with places where long words may be broken. */
  private static String breakable(String text) {
    return PART_END.matcher(escape(text)).replaceAll("$0<wbr>");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
