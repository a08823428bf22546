package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages about runs, in a browser where there is one: Debian's package chromium. */
class PagesIT {
  /** Return the least contrast of any text with what is behind it. */
  private static final String CONTRAST =
      """
      (() => {
        const parse = (c) => { const p = c.match(/[\\d.]+/g).map(Number); return p.length > 3 && p[3] === 0 ? null : p; };
        const light = ([r, g, b]) => { const f = [r, g, b].map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
        const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c) return c; } return [255, 255, 255]; };
        let least = 99, which = "";
        for (const e of document.querySelectorAll("h1,h2,p,a,td,th,button,summary,figcaption,caption,li,svg text")) {
          if (!e.textContent.trim() || e.classList.contains("on-full") || e.classList.contains("on-empty")) continue;
          const style = getComputedStyle(e);
          const a = light(parse(e.closest("svg") ? style.fill : style.color)), b = light(behind(e));
          const found = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (found < least) { least = found; which = e.outerHTML.slice(0, 90); }
        }
        return { least, which };
      })()
      """;

  private static final List<String> SMALL =
      List.of("--rank", "4", "--iterations", "2", "--rounds", "2");

  @TempDir private Path folder;

  private String run(List<String> more, String... arguments) throws Exception {
    String[] all = Stream.concat(Arrays.stream(arguments), more.stream()).toArray(String[]::new);
    return Distribution.in(folder).run(all).expectExit(0).out();
  }

  private Browser browser() throws Exception {
    Optional<Path> chromium = Browser.find();
    Assumptions.assumeTrue(
        chromium.isPresent(), "skipped: no Chromium here; install the package chromium");
    return Browser.start(chromium.get(), folder.resolve("profile"));
  }

  /** Check a page in both colour schemes and two widths. */
  private void check(Browser browser, Path page, int charts) throws Exception {
    String html = Files.readString(page);
    assertFalse(html.contains("src=\"http") || html.contains("url("), "a reference outside");
    for (boolean dark : new boolean[] {false, true}) {
      for (int width : new int[] {1280, 390}) {
        browser.show(page.toUri(), width, dark);
        String which = page + " " + width + (dark ? " dark" : " light");
        assertEquals(
            charts, browser.value("document.querySelectorAll('figure').length").asInt(), which);
        assertEquals(
            charts,
            browser
                .value(
                    "[...document.querySelectorAll('figure')].filter(f => f.querySelector('svg"
                        + " path, svg rect') && f.querySelector('details table')).length")
                .asInt(),
            which);
        assertTrue(browser.value("document.documentElement.scrollWidth").asInt() <= width, which);
        JsonNode contrast = browser.value(CONTRAST);
        assertTrue(contrast.get("least").asDouble() >= 4.5, which + ": " + contrast);
      }
    }
    hoverAndKeys(browser);
    assertEquals(List.of(), browser.problems());
    assertTrue(
        browser.requests().stream()
            .allMatch(address -> address.startsWith("file:") || address.startsWith("data:")),
        browser.requests().toString());
  }

  private void hoverAndKeys(Browser browser) throws Exception {
    String readout = "document.querySelector('.readout').textContent.trim()";
    JsonNode box =
        browser.value(
            "(() => { const p = document.querySelector('.plot'); p.scrollIntoView({block:"
                + " 'center'}); const b = p.getBoundingClientRect(); return {x: b.x, y: b.y, w:"
                + " b.width, h: b.height}; })()");
    assertEquals("", browser.value(readout).asText());
    browser.moveTo(
        box.get("x").asDouble() + box.get("w").asDouble() / 2,
        box.get("y").asDouble() + box.get("h").asDouble() / 2);
    String hovered = browser.value(readout).asText();
    assertTrue(hovered.matches(".*\\d.*"), hovered);
    browser.value("document.querySelector('.plot').focus()");
    browser.press("Home");
    String first = browser.value(readout).asText();
    browser.press("ArrowRight");
    String second = browser.value(readout).asText();
    assertFalse(first.isEmpty() || second.isEmpty() || first.equals(second), first + second);
    browser.press("Escape");
    assertEquals("", browser.value(readout).asText());
  }

  @Test
  void everyTrainingHasAPageThatWorksInABrowser() throws Exception {
    run(SMALL, "--out", "model");
    run(SMALL, "--out", "other", "--lambda", "9");
    String compared = run(List.of(), "compare", "model", "other", "--out", "comparison.html");
    assertTrue(compared.contains("recall@50") && compared.contains("lambda"), compared);
    assertTrue(compared.contains("p (Holm)"), compared);
    run(
        List.of("--rank", "4", "--iterations", "2", "--rounds", "1"),
        "tune",
        "--search",
        "lambda=log:1..8",
        "--trials",
        "3",
        "--out",
        "search");
    try (Browser browser = browser()) {
      Path report = folder.resolve("model/report.html");
      check(browser, report, 14);
      check(browser, folder.resolve("comparison.html"), 5);
      check(browser, folder.resolve("search/report.html"), 2);
      Optional<Path> pictures =
          Optional.ofNullable(System.getProperty("pecf.pictures")).map(Path::of);
      if (pictures.isPresent()) {
        for (Map.Entry<String, Path> page :
            Map.of(
                    "report", report,
                    "comparison", folder.resolve("comparison.html"),
                    "search", folder.resolve("search/report.html"))
                .entrySet()) {
          browser.show(page.getValue().toUri(), 1280, false);
          browser.picture(pictures.get().resolve(page.getKey() + "-light.png"));
          browser.show(page.getValue().toUri(), 390, true);
          browser.picture(pictures.get().resolve(page.getKey() + "-dark.png"));
        }
      }
    }
  }
}
