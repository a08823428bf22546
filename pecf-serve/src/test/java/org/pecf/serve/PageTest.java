package org.pecf.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.engine.recommend.Recommender;
import org.pecf.study.page.browser.Browser;

/** The page, used in a browser as people use it. */
class PageTest {
  @TempDir private static Path folder;
  private static RecommendationServer server;
  private static Recommender recommender;
  private static Browser browser;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    if (!Browser.isThere()) {
      return;
    }
    Path model = Bookshop.train(folder, "model", 1);
    server = RecommendationServer.start(ServiceTest.settings(model, Bookshop.writeTitles(folder)));
    recommender = Recommender.open(model);
    browser = Browser.start(folder.resolve("profile"));
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      server.close();
      recommender.close();
    }
  }

  @BeforeEach
  void open() {
    Browser.require();
    browser.open(URI.create("about:blank"));
    browser.forget();
    browser.show(1200, 900, false);
  }

  private static void openFor(String fragment) {
    browser.open(URI.create("about:blank"));
    browser.open(URI.create(server.address() + fragment));
    browser.await(
        fragment.isEmpty()
            ? "document.getElementById('example').textContent.includes('reader')"
            : "document.querySelectorAll('#list > li').length === 10");
  }

  private static String text(String selector) {
    return browser.evaluate("document.querySelector('" + selector + "').innerText").asText();
  }

  private static List<String> texts(String selector) {
    List<String> texts = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('" + selector + "')].map(one => one.textContent.trim())")
        .forEach(one -> texts.add(one.asText()));
    return texts;
  }

  private static String focused() {
    return browser
        .evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.id")
        .asText();
  }

  /** Return the name that the page gives a book. */
  private static String name(String id) {
    int book = Integer.parseInt(id.substring(1)) - 100;
    return book == 0
        ? "<b>Bold</b> & <script>alert(1)</script> " + id
        : book == 99 ? id : Bookshop.title(book) + " " + id;
  }

  private static void assertClean() {
    assertEquals(List.of(), browser.complaints());
    assertFalse(browser.requests().isEmpty());
    for (URI request : browser.requests()) {
      assertTrue(
          request.toString().startsWith(server.address().toString())
              || request.toString().equals("about:blank"),
          request + " goes elsewhere");
    }
  }

  @Test
  void aUserIsChosenByTheKeyboardAlone() {
    openFor("");
    browser.press("Tab");
    browser.press("Tab");
    assertEquals("user", focused());
    browser.type("reader25");
    browser.await("document.querySelector('#user-choices')?.innerText.startsWith('reader250')");
    for (int k = 0; k < 8; k++) {
      browser.press("ArrowDown");
    }
    assertEquals(
        "reader257", text("#user-choices [aria-selected=true]"), "arrows move through choices");
    browser.press("Enter");
    browser.await(
        "document.getElementById('summary').textContent.startsWith('For user reader257')");
    assertEquals(
        recommender.recommend("reader257", 10).stream().map(one -> name(one.item())).toList(),
        texts("#list .name"));
    int liked = recommender.liked("reader257").size();
    assertEquals(Math.min(12, liked), texts("#history li").size());
    if (liked > 12) {
      assertEquals("Show " + (liked - 12) + " more", text("#more"), "what is hidden has a sign");
      browser.evaluate("document.getElementById('more').click()");
      assertEquals(liked, texts("#history li").size());
      assertEquals("", text("#more"));
    }
    browser.evaluate("document.getElementById('clear').focus()");
    while (!focused().startsWith("Why ")) {
      browser.press("Tab");
    }
    browser.press("Space");
    browser.await("document.querySelector('.why')");
    assertEquals(4, texts(".why table:nth-of-type(2) tbody tr").size(), "a row for each member");
    assertTrue(
        texts(".why table:nth-of-type(1) tbody tr").size()
            >= Math.min(8, recommender.liked("reader257").size()),
        "a row for each of the liked items that matter most");
    browser.press("Space");
    browser.await("!document.querySelector('.why')");
    browser.press("Tab");
    assertTrue(focused().startsWith("Items similar to "), focused());
    browser.press("Enter");
    browser.await("document.querySelectorAll('#similar-list > li').length === 10");
    assertEquals("similar", focused(), "the focus follows to what was asked for");
    assertClean();
  }

  @Test
  void addingAndRemovingItemsChangesTheList() {
    openFor("");
    browser.evaluate("document.getElementById('item').focus()");
    browser.type("winter comet");
    browser.await("document.querySelectorAll('#item-choices li').length === 1");
    browser.press("Enter");
    browser.await("document.getElementById('summary').textContent.startsWith('For somebody')");
    assertEquals(
        List.of("Somebody new: 1 item. Add or remove one and see how the list changes."),
        texts("#history-note"));
    assertEquals(
        recommender.recommendFor(List.of("b128"), 10).stream()
            .map(one -> name(one.item()))
            .toList(),
        texts("#list .name"));
    browser.type("last murder");
    browser.await("document.querySelectorAll('#item-choices li').length === 1");
    browser.press("Enter");
    browser.await("document.querySelector('#list .change.more')");
    assertEquals(
        recommender.recommendFor(List.of("b128", "b142"), 10).stream()
            .map(one -> name(one.item()))
            .toList(),
        texts("#list .name"));
    assertTrue(texts("#list .change").contains("new"), "what came is marked");
    assertTrue(text("#gone").startsWith("No longer in the list: "), "what went is named");
    browser.evaluate("document.querySelectorAll('#history button')[0].focus()");
    browser.press("Enter");
    browser.await("document.querySelectorAll('#history li').length === 1");
    browser.await(
        "document.activeElement.getAttribute('aria-label') === 'Remove The Winter Comet'");
    assertClean();
  }

  /** Whoever knows no id sees what is popular, and a user to begin with. */
  @Test
  void theFirstPageOffersPopularItemsAndAnExample() {
    openFor("");
    assertEquals(
        recommender.recommendFor(List.of(), 10).stream().map(one -> name(one.item())).toList(),
        texts("#list .name"));
    assertTrue(text("#summary").startsWith("What most users like"), text("#summary"));
    assertTrue(text("#example").startsWith("For example, user reader"), text("#example"));
    String first = text("#example").replace("For example, user ", "");
    browser.evaluate("document.querySelector('#list button').click()");
    browser.await("document.getElementById('summary').textContent.startsWith('For somebody')");
    browser.evaluate("document.getElementById('clear').click()");
    browser.await("!document.getElementById('example').hidden");
    browser.evaluate("document.getElementById('example').click()");
    browser.await(
        "document.getElementById('summary').textContent.startsWith('For user " + first + "')");
    assertClean();
  }

  /** Titles stand close to their places, figures in line, and words of any script by themselves. */
  @Test
  void aListIsReadAtAGlance() {
    openFor("#user=reader107");
    int gap =
        browser
            .evaluate(
                "(() => { const row = document.querySelector('#list .row');"
                    + " return Math.round(row.querySelector('.name').getBoundingClientRect().left"
                    + " - row.querySelector('.place').getBoundingClientRect().right) })()")
            .asInt();
    assertTrue(gap < 20, "between place and title: " + gap);
    assertEquals(
        1,
        texts("#list .meter > b").stream()
            .map(score -> score.length() - score.indexOf('.'))
            .distinct()
            .count(),
        () -> "decimals of " + texts("#list .meter > b"));
    assertEquals(
        "isolate",
        browser
            .evaluate("getComputedStyle(document.querySelector('#list .name > *')).unicodeBidi")
            .asText());
    assertEquals(
        0, browser.evaluate("document.querySelectorAll('#history .name:not(bdi)').length").asInt());
  }

  @Test
  void textOfTheDataIsNeverMarkup() {
    openFor("#item=b100&item=b101");
    assertEquals("<b>Bold</b> & <script>alert(1)</script>", texts("#history .name").get(0));
    assertEquals(
        0, browser.evaluate("document.querySelectorAll('b > script, li b b').length").asInt());
    assertClean();
  }

  @Test
  void problemsAreSaid() {
    browser.open(URI.create(server.address() + "#user=nobody"));
    browser.await("!document.getElementById('problem').hidden");
    assertEquals("The model has no user with the id 'nobody'.", text("#problem"));
    assertEquals("alert", browser.evaluate("document.getElementById('problem').role").asText());
  }

  /** Colours, names, roles and order by the rules of axe, light and dark, wide and narrow. */
  @Test
  void theRulesOfAccessibilityAreKept() throws IOException {
    for (boolean dark : List.of(false, true)) {
      for (int width : List.of(1200, 390)) {
        browser.show(width, 900, dark);
        openFor("#user=reader107");
        browser.evaluate("document.querySelector('#list button').click()");
        browser.await("document.querySelector('.why')");
        browser.evaluate("document.querySelectorAll('#list button')[1].click()");
        browser.await("document.querySelectorAll('#similar-list > li').length === 10");
        assertEquals(List.of(), browser.brokenRules(), width + (dark ? " dark" : " light"));
        assertTrue(
            browser.evaluate("document.documentElement.scrollWidth - window.innerWidth").asInt()
                <= 0,
            "nothing is wider than the window of " + width);
      }
    }
  }

  /**
   * Take the pictures of the page: light and dark, wide and narrow, in target/pictures; with
   * -Dpecf.accept.pictures=true also the one that the README shows.
   */
  @Test
  void picturesAreTaken() throws IOException {
    Path pictures = Files.createDirectories(Path.of("target", "pictures"));
    for (boolean dark : List.of(false, true)) {
      for (int width : List.of(1200, 390)) {
        browser.show(width, width > 600 ? 860 : 1400, dark);
        openFor("#user=reader128");
        browser.evaluate("[...document.querySelectorAll('#history button')].at(-1).click()");
        browser.await("document.querySelector('#list .change.more, #list .change.less')");
        browser.evaluate("document.querySelectorAll('#list button')[2].click()");
        browser.await("document.querySelector('.why')");
        byte[] picture = browser.picture();
        // The header of a PNG has the width after its name and the name of its first chunk.
        assertEquals(width, ByteBuffer.wrap(picture).getInt(16));
        assertEquals(
            dark ? "rgb(17, 22, 28)" : "rgb(255, 255, 255)",
            browser.evaluate("getComputedStyle(document.body).backgroundColor").asText());
        Files.write(
            pictures.resolve("serve-" + (dark ? "dark-" : "light-") + width + ".png"), picture);
        if (!dark && width == 1200 && Boolean.getBoolean("pecf.accept.pictures")) {
          Files.write(Path.of("..", "docs", "images", "serve.png"), picture);
        }
      }
    }
  }
}
