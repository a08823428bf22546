package org.pecf.plugin.loaders.citeulike;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
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
import org.pecf.plugin.loaders.citeulike.CiteULikeOptions.Layout;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.FileNames;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of lists of items, one line per user. */
final class CiteULikeLoader implements RatingLoader {
  private static final FileNames NAMES = new FileNames(List.of("users.dat"));
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);

  /** The most digits that always fit into 64 bits. */
  private static final int DIGITS = 18;

  /** The fewest rows among which one of ten may differ in a table. */
  private static final int LEAST_ROWS = 10;

  private final CiteULikeOptions options;
  private final TextReader reader;

  CiteULikeLoader(CiteULikeOptions options, TextReader reader) {
    this.options = options;
    this.reader = reader;
  }

  @Override
  public Recognition recognise(DataSource source) {
    return NAMES.sample(source).map(CiteULikeLoader::recognise).orElse(Recognition.NO);
  }

  private static Recognition recognise(Sample sample) {
    List<Sample.Line> lines = sample.lines();
    for (Sample.Line line : lines) {
      if (!numbers(sample.bytes(), line.from(), line.to())) {
        return Recognition.NO;
      }
    }
    LineCounts counts =
        lines.stream()
            .map(line -> LineCounts.of(sample.bytes(), line.from(), line.to()))
            .reduce(LineCounts.NONE, LineCounts::plus);
    if (counts.counted() == counts.users()) {
      return counts.users() > 2 ? Recognition.CERTAIN : Recognition.LIKELY;
    }
    List<String[]> rows =
        lines.stream().map(line -> sample.text(line).strip().split("\\s+")).toList();
    boolean rising = true;
    for (int i = 1; i < rows.size(); i++) {
      rising &= Long.parseLong(rows.get(i - 1)[0]) < Long.parseLong(rows.get(i)[0]);
    }
    if (table(rows)) {
      return Recognition.NO;
    }
    return rising ? Recognition.LIKELY : Recognition.POSSIBLE;
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
    List<String[]> rows =
        sample.lines().stream().map(line -> sample.text(line).strip().split("\\s+")).toList();
    boolean repeated = rows.stream().map(row -> row[0]).distinct().count() < rows.size();
    if (rows.size() > 1 && repeated && table(rows) && rows.get(rows.size() - 1).length > 2) {
      throw PecfException.badData(
          "%s:1:1: '%s' is a line of a table of ratings, not a list of items: all lines have"
              + " equally many columns, and users have several. Use the format csv, or set"
              + " layout=labelled if these are lists.",
          file.path(), Excerpt.of(sample.text(sample.lines().get(0))));
    }
  }

  /** Return whether a line holds at least one number and nothing but numbers. */
  private static boolean numbers(byte[] bytes, int from, int to) {
    int start = Tokens.start(bytes, from, to);
    boolean any = start < to;
    while (start < to) {
      int end = Tokens.end(bytes, start, to);
      if (end - start > DIGITS || !Digits.only(bytes, start, end)) {
        return false;
      }
      start = Tokens.start(bytes, end, to);
    }
    return any;
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile whole = NAMES.open(source);
    Sample sample = Sample.of(whole);
    TextFile file = whole.startingAt(sample.start());
    if (options.layout() == Layout.LABELLED) {
      read(file, Layout.LABELLED, Map.of(), sink, context);
      return;
    }
    ConcurrentSkipListMap<Long, LineCounts> counts = new ConcurrentSkipListMap<>();
    reader.survey(
        List.of(file),
        chunk -> {
          if (chunk.from() < chunk.to()) {
            counts.put(start(chunk), LineCounts.of(chunk));
          }
        },
        context);
    Map<Long, Long> linesBefore = new HashMap<>();
    LineCounts total = LineCounts.NONE;
    for (Map.Entry<Long, LineCounts> entry : counts.entrySet()) {
      linesBefore.put(entry.getKey(), total.lines());
      total = total.plus(entry.getValue());
    }
    Layout layout = layout(file, total, context);
    if (options.layout() == Layout.AUTO && layout == Layout.LABELLED) {
      checkLists(file, sample);
    }
    read(file, layout, linesBefore, sink, context);
  }

  /**
   * Return the layout: counted if at least half of the lines begin with their count, labelled
   * otherwise. If only some lines do not, they are errors, and the parser names the first one.
   */
  private Layout layout(TextFile file, LineCounts total, RunContext context) {
    if (options.layout() != Layout.AUTO) {
      return options.layout();
    }
    Layout layout = 2 * total.counted() >= total.users() ? Layout.COUNTED : Layout.LABELLED;
    context
        .listener()
        .on(
            new LoaderNote(
                "%s: lines begin with %s"
                    .formatted(
                        file.path(),
                        layout == Layout.COUNTED
                            ? "the number of items (layout counted)"
                            : "the user's id (layout labelled)")));
    return layout;
  }

  private void read(
      TextFile file,
      Layout layout,
      Map<Long, Long> linesBefore,
      RatingSink sink,
      RunContext context) {
    reader.read(
        List.of(file),
        () -> new UserLineParser(layout, chunk -> linesBefore.getOrDefault(start(chunk), 0L)),
        SCHEMA,
        sink,
        context);
  }

  private static long start(Chunk chunk) {
    return chunk.offset() + chunk.from();
  }
}
