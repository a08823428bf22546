package org.pecf.plugin.loaders.citeulike;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.LoaderNote;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.citeulike.CiteULikeLoaderProvider.Layout;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.FileNames;
import org.pecf.plugin.loaders.text.LineParser;
import org.pecf.plugin.loaders.text.RatingColumns;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of lists of items, one line per user. */
final class CiteULikeLoader implements RatingLoader {
  private static final FileNames NAMES = new FileNames(List.of("users.dat"));
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);

  /** A number that always fits into 64 bits. */
  private static final String NUMBER = "\\d{1,18}";

  /** The fewest rows among which one of ten may differ in a table. */
  private static final int LEAST_ROWS = 10;

  private final Layout layout;
  private final TextReader reader;

  CiteULikeLoader(Layout layout, TextReader reader) {
    this.layout = layout;
    this.reader = reader;
  }

  @Override
  public Recognition recognise(DataSource source) {
    return NAMES.sample(source).map(sample -> recognise(rows(sample))).orElse(Recognition.NO);
  }

  private static Recognition recognise(List<String[]> rows) {
    if (!rows.stream().flatMap(Arrays::stream).allMatch(word -> word.matches(NUMBER))) {
      return Recognition.NO;
    }
    if (rows.stream().allMatch(row -> row[0].equals(Integer.toString(row.length - 1)))) {
      return rows.size() > 2 ? Recognition.CERTAIN : Recognition.LIKELY;
    }
    boolean rising = true;
    for (int i = 1; i < rows.size(); i++) {
      rising &= Long.parseLong(rows.get(i - 1)[0]) < Long.parseLong(rows.get(i)[0]);
    }
    if (table(rows)) {
      return Recognition.NO;
    }
    return rising ? Recognition.LIKELY : Recognition.POSSIBLE;
  }

  /** Return the words of the lines of a sample. */
  private static List<String[]> rows(Sample sample) {
    return sample.lines().stream().map(line -> line.trim().split("[ \t]+")).toList();
  }

  /**
   * Return whether rows are a table, not lists of items: nearly all have equally many columns. A
   * few stray lines do not make a table of ratings a file of lists.
   */
  private static boolean table(List<String[]> rows) {
    Map<Integer, Long> lengths =
        rows.stream().collect(Collectors.groupingBy(row -> row.length, Collectors.counting()));
    long most = Collections.max(lengths.values());
    return most == rows.size() || rows.size() >= LEAST_ROWS && most >= 0.9 * rows.size();
  }

  /** Refuse a table of ratings, whose ratings and times would become items. */
  private static void checkLists(TextFile file, Sample sample) {
    List<String[]> rows = rows(sample);
    boolean repeated = rows.stream().map(row -> row[0]).distinct().count() < rows.size();
    if (rows.size() > 1 && repeated && table(rows) && rows.get(rows.size() - 1).length > 2) {
      throw PecfException.badData(
          "%s:1:1: '%s' is a line of a table of ratings, not a list of items: all lines have"
              + " equally many columns, and users have several. Use the format csv, or set"
              + " layout=labelled if these are lists.",
          file.path(), Excerpt.of(sample.lines().get(0)));
    }
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile file = NAMES.open(source);
    Layout found = layout == Layout.AUTO ? findLayout(file, context) : layout;
    reader.read(
        List.of(file), text -> new Parser(text, found == Layout.COUNTED), SCHEMA, sink, context);
  }

  /**
   * Return the layout: counted if at least half of the lines begin with their count, labelled
   * otherwise. If only some lines do not, they are errors, and the parser names the first one.
   */
  private Layout findLayout(TextFile file, RunContext context) {
    Sample sample = Sample.of(file);
    boolean counted;
    try (Counts counts = new Counts(file)) {
      RatingColumns none = new RatingColumns(SCHEMA);
      while (counts.read(none, 1)) {
        context.cancellation().check();
      }
      counted = 2 * counts.right >= counts.users;
    }
    context
        .listener()
        .on(
            new LoaderNote(
                "%s: lines begin with %s"
                    .formatted(
                        file.path(),
                        counted
                            ? "the number of items (layout counted)"
                            : "the user's id (layout labelled)")));
    if (!counted) {
      checkLists(file, sample);
    }
    return counted ? Layout.COUNTED : Layout.LABELLED;
  }

  /** A parser of lines of words between spaces and tabs. */
  private abstract static class Words extends LineParser {
    private static final Pattern WORD = Pattern.compile("[^ \t\r\n]+");

    private int words;

    Words(TextFile file, String expected) {
      super(file, " ", false, expected);
    }

    @Override
    protected void handleBegin(long line) {
      words = 0;
    }

    @Override
    protected final void handleField(int field, char[] text, int from, int length, boolean quoted) {
      int start = from;
      for (int at = from; at <= from + length; at++) {
        if (at == from + length || text[at] == '\t') {
          if (at > start) {
            word(words++, text, start, at);
          }
          start = at + 1;
        }
      }
    }

    @Override
    protected final void handleEnd(int fields) {
      if (words > 0) {
        end(words);
      }
    }

    /** Take a word of the current line. */
    abstract void word(int index, char[] text, int from, int to);

    /** End a line that has words. */
    abstract void end(int words);

    /** Return the index at which a word of the first line of a text begins. */
    static int start(String text, int word) {
      return WORD.matcher(text).results().skip(word).findFirst().orElseThrow().start();
    }
  }

  /** A count of the lines that begin with the number of their items. */
  private static final class Counts extends Words {
    private long users;
    private long right;
    private long head;

    Counts(TextFile file) {
      super(file, "");
    }

    @Override
    void word(int index, char[] text, int from, int to) {
      if (index == 0) {
        head = Digits.unsigned(text, from, to);
      }
    }

    @Override
    void end(int words) {
      users++;
      right += head == words - 1 ? 1 : 0;
    }
  }

  /** A parser of lists of item numbers. */
  private static final class Parser extends Words {
    private final boolean counted;
    private long head;

    /**
     * Create a parser.
     *
     * @param counted whether a line begins with the number of its items, and users are numbered by
     *     line; otherwise it begins with the user
     */
    Parser(TextFile file, boolean counted) {
      super(file, counted ? "'count item item ...'" : "'user item item ...'");
      this.counted = counted;
    }

    @Override
    void word(int index, char[] text, int from, int to) {
      long number = Digits.unsigned(text, from, to);
      if (number < 0) {
        String line = text();
        throw bad(
            line,
            start(line, index),
            "%s '%s' is %s",
            index > 0 ? "item" : counted ? "count" : "user",
            Excerpt.ofBytes(new String(text, from, to - from)),
            new String(text, from, to - from).matches("-\\d+")
                ? "negative"
                : "not a whole number without leading zeros");
      }
      if (index == 0) {
        head = number;
      } else {
        ratings().reserve(1);
        ratings().add(counted ? getStartingLineNumber() - 1 : head, number);
      }
    }

    @Override
    void end(int words) {
      int items = words - 1;
      if (counted && items != head) {
        String line = text();
        throw report(
            line,
            start(line, 0),
            "the line begins with the count %d, but %d %s. Expected 'count item item ...'; correct"
                + " this line, or set layout=labelled if lines begin with the user's id.",
            head,
            items,
            items == 1 ? "item follows" : "items follow");
      }
    }
  }
}
