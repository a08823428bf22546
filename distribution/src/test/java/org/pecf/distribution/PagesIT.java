package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.study.page.browser.Browser;

/**
 * The pages about runs, in a browser where there is one. The commands that make them are those of
 * docs/reports.md.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesIT {
  private static final Pattern SHELL = Pattern.compile("```sh\\n(.*?)```", Pattern.DOTALL);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path DOCS = Path.of(System.getProperty("pecf.docs"));

  @TempDir private static Path folder;
  private Browser browser;

  /** Run the commands of the guide. */
  @BeforeAll
  void run() throws Exception {
    Matcher blocks = SHELL.matcher(Files.readString(DOCS.resolve("reports.md")));
    List<String> commands = new ArrayList<>();
    while (blocks.find()) {
      commands.addAll(List.of(blocks.group(1).replace("\\\n", " ").strip().split("\n")));
    }
    assertEquals(5, commands.size(), commands::toString);
    for (String command : commands) {
      String[] words = command.replaceAll("'", "").split("\\s+");
      assertEquals("./pecf-run", words[0], command);
      String out =
          Distribution.in(folder)
              .run(Arrays.copyOfRange(words, 1, words.length))
              .expectExit(0)
              .out();
      if (command.contains(" compare ")) {
        assertTrue(out.contains("recall@50") && out.contains("lambda"), out);
        assertTrue(out.contains("p (Holm)"), out);
      }
    }
  }

  @AfterAll
  void close() {
    if (browser != null) {
      browser.close();
    }
  }

  private void open(String page, int width, boolean dark) throws Exception {
    if (browser == null) {
      browser = Browser.start(folder.resolve("profile"));
    }
    browser.open(URI.create("about:blank"));
    browser.show(width, 900, dark);
    browser.open(folder.resolve(page).toUri());
    browser.await("!document.querySelector('.plot:empty')");
  }

  private int count(String selector) {
    return browser.evaluate("document.querySelectorAll('" + selector + "').length").asInt();
  }

  private List<String> texts(String selector) {
    List<String> texts = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('" + selector + "')].map(one => one.textContent.trim())")
        .forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** Check a page in both colour schemes and three widths. */
  private void check(String page, List<String> charts) throws Exception {
    String html = Files.readString(folder.resolve(page));
    assertFalse(html.contains("src=\"http") || html.contains("url("), "a reference outside");
    Browser.require();
    for (boolean dark : new boolean[] {false, true}) {
      for (int width : new int[] {1400, 800, 360}) {
        open(page, width, dark);
        String which = page + " " + width + (dark ? " dark" : " light");
        assertEquals(charts, texts("figcaption"), which);
        assertEquals(
            charts.size(),
            browser
                .evaluate(
                    "[...document.querySelectorAll('figure')].filter(f => f.querySelector('.plot"
                        + " svg :is(circle.dot, path.dot, path.line, rect.bar, rect.cell)') &&"
                        + " f.querySelector('details tbody tr')).length")
                .asInt(),
            which + ": something is drawn, and there is a table");
        assertEquals(
            List.of(),
            texts(".plot text").stream().filter(text -> text.matches("x|y|null|NaN|")).toList(),
            which);
        assertTrue(
            browser.evaluate("document.documentElement.scrollWidth").asInt() <= width, which);
        assertEquals(List.of(), cut(), which + ": text that is cut off");
        browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)");
        assertEquals(List.of(), browser.brokenRules(), which);
        picture(page, width, dark);
      }
    }
    for (int chart = 0; chart < charts.size(); chart++) {
      hoverAndKeys(chart);
    }
    assertEquals(List.of(), browser.complaints());
    for (URI request : browser.requests()) {
      assertTrue(List.of("file", "data", "about").contains(request.getScheme()), "" + request);
    }
  }

  /** Return the texts of charts that reach over their edges. */
  private List<String> cut() {
    List<String> cut = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('.plot svg')].flatMap(svg => { const box ="
                + " svg.getBoundingClientRect(); return"
                + " [...svg.querySelectorAll('text')].filter(text => { const own ="
                + " text.getBoundingClientRect(); return own.left < box.left - 1 || own.right >"
                + " box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1;"
                + " }).map(text => svg.closest('figure').innerText.split('\\n')[0] + ': ' +"
                + " text.textContent); })")
        .forEach(text -> cut.add(text.asText()));
    return cut;
  }

  private void picture(String page, int width, boolean dark) throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    String name = page.replace('/', '-').replace(".html", "") + "-" + width;
    browser.evaluate("document.querySelectorAll('details').forEach(one => one.open = false)");
    Files.write(pictures.resolve(name + (dark ? "-dark.png" : ".png")), browser.wholePicture());
    if (page.equals("first/report.html")
        && width == 1400
        && !dark
        && Boolean.getBoolean("pecf.accept.pictures")) {
      Files.write(DOCS.resolve("images/report.png"), browser.picture());
    }
    if (width == 800 && dark) {
      Files.write(pictures.resolve(name + ".pdf"), browser.print());
    }
  }

  private void hoverAndKeys(int chart) {
    browser.evaluate(
        "document.querySelectorAll('figure').forEach((one, at) => one.id = 'figure' + at)");
    String figure = "#figure" + chart;
    String readout = "document.querySelector('" + figure + " .readout').textContent.trim()";
    assertEquals("", browser.evaluate(readout).asText());
    browser.pointAt(figure + " .plot");
    String hovered = browser.evaluate(readout).asText();
    assertTrue(hovered.matches("(?s).*\\d.*"), hovered);
    browser.evaluate("document.querySelector('" + figure + " .plot').focus()");
    browser.press("Home");
    String first = browser.evaluate(readout).asText();
    browser.press("ArrowRight");
    String second = browser.evaluate(readout).asText();
    assertFalse(first.isEmpty() || second.isEmpty() || first.equals(second), first + second);
    browser.press("Escape");
    assertEquals("", browser.evaluate(readout).asText());
    assertEquals(
        "application",
        browser
            .evaluate("document.querySelector('" + figure + " .plot').getAttribute('role')")
            .asText());
  }

  @Test
  void theReportOfATraining() throws Exception {
    check(
        "first/report.html",
        List.of(
            "Recall on the test part",
            "Recall on the validation part, round by round",
            "Weighted squared error on the validation part",
            "Step length (alpha) and final weight of members",
            "Errors of the ensemble, and the weight they get",
            "Correlation of the members' errors",
            "Overlap of the members' best 50 items",
            "Recall@50 by activity of users on the test part",
            "Recall@50 by popularity of items on the test part",
            "The long tail",
            "Users by their positives",
            "Items by their positives",
            texts(folder.resolve("first/report.html"), "Time of each phase, [^<]*"),
            "Memory of the process at the end of each phase",
            "Off-heap memory and its estimate"));
    JsonNode metrics = JSON.readTree(folder.resolve("first/metrics.json").toFile());
    String recall =
        String.format(
            Locale.ROOT, "%.4f", metrics.at("/metrics/test/recall@50").asDouble(Double.NaN));
    assertTrue(texts("td").contains(recall), "recall@50 is " + recall);
    assertEquals(
        metrics.get("rounds").size(),
        browser
            .evaluate(
                "[...document.querySelectorAll('figure')].find(one =>"
                    + " one.innerText.includes('round by round')).querySelectorAll('.dot').length"
                    + " / 3")
            .asInt(),
        "a point a round and cutoff");
  }

  /** On a phone the columns that matter, which stand last, are seen without scrolling. */
  @Test
  void everyColumnOfMetricsFitsAPhone() throws Exception {
    Browser.require();
    for (String page : List.of("first/report.html", "comparison.html")) {
      open(page, 390, false);
      assertTrue(count("section .scroll:first-child td") > 4, page);
      assertEquals(
          List.of(),
          overflowing("section:first-of-type > .blocks > .scroll"),
          page + ": tables that reach over their edge");
    }
    open("first/report.html", 1400, false);
    assertTrue(
        browser
            .evaluate(
                "(() => { const all = [...document.querySelectorAll('.blocks')]; return"
                    + " all.every(one => one.lastElementChild.getBoundingClientRect().right >"
                    + " one.getBoundingClientRect().right - 2) })()")
            .asBoolean(),
        "the last row of each section is full");
  }

  private List<String> overflowing(String selector) {
    List<String> wide = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('"
                + selector
                + "')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one =>"
                + " one.ariaLabel + ' ' + one.scrollWidth)")
        .forEach(text -> wide.add(text.asText()));
    return wide;
  }

  private static String texts(Path file, String regex) throws IOException {
    Matcher found = Pattern.compile(regex).matcher(Files.readString(file));
    assertTrue(found.find(), regex);
    return found.group();
  }

  @Test
  void theComparison() throws Exception {
    check(
        "comparison.html",
        Stream.concat(
                Stream.of("Recall and NDCG"),
                Stream.of("recall@10", "recall@20", "recall@50", "wmse")
                    .map(key -> key + " on the validation part, round by round"))
            .toList());
    assertTrue(count("td.marked") > 2, "best values and differing options are marked");
    List<String> before = texts("table.sortable tbody th");
    browser.evaluate("document.querySelector('table.sortable th button').focus()");
    browser.press("Enter");
    browser.press("Enter");
    assertFalse(before.equals(texts("table.sortable tbody th")), "the keyboard sorts");
  }

  @Test
  void theSearch() throws Exception {
    check(
        "search/report.html",
        List.of("recall@50 by lambda", "recall@50 by confidence", "Best so far"));
    assertEquals(4, count("path.dot.s1"), "the best is marked, in each slice and its key");
  }

  @Test
  void theStudy() throws Exception {
    check(
        "study/report.html",
        List.of(
            "Recall@50 on the test part",
            "Recall@50 on the test part",
            "builtin:demo, test part: Recall@50 round by round",
            "builtin:demo, test part: WMSE round by round"));
  }

  /** While a search runs, its page is there, loads itself again, and ends as the complete one. */
  @Test
  void aPageGrowsWhileASearchRuns() throws Exception {
    Path page = folder.resolve("growing/report.html");
    String[] search = {
      "tune", "--rounds", "3", "--search", "lambda=log:1..8", "--trials", "12", "--out", "growing"
    };
    Process process =
        Distribution.in(folder)
            .start(folder.resolve("growing.out"), folder.resolve("growing.err"), search);
    while (!Files.exists(page) || Files.readString(page).contains("value=\"0\"")) {
      assertTrue(process.isAlive(), () -> "it ended too soon");
      Thread.sleep(20);
    }
    String growing = Files.readString(page);
    assertTrue(growing.contains("follow();"), "it loads itself again");
    assertTrue(growing.contains("of 12 trainings"), "it says how far it is");
    process.destroy();
    process.waitFor();
    String stopped = Files.readString(page);
    assertTrue(stopped.contains("It was stopped; the same command goes on."), stopped);
    assertFalse(stopped.contains("follow();"));

    Files.writeString(page, growing);
    open("growing/report.html", 800, false);
    browser.evaluate("document.querySelector('details').open = true");
    browser.evaluate("globalThis.before = true");
    assertEquals(List.of(), browser.brokenRules());
    Distribution.in(folder).run(search).expectExit(0);
    browser.await(
        "!globalThis.before && document.querySelector('progress + p')?.innerText === '12 of 12"
            + " trainings are done.'");
    browser.await("document.querySelector('.plot svg')");
    assertEquals(0, count(".follow"), "a page that is complete does not load itself again");
    assertEquals(List.of(), browser.complaints());
  }
}
