package org.pecf.plugin.loaders.citeulike;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.plugin.loaders.citeulike.CiteULikeOptions.Layout;
import org.pecf.plugin.loaders.text.Chunk;
import org.pecf.plugin.loaders.text.Digits;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.SourceFile;
import org.pecf.plugin.loaders.text.SourceRead;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextInput;
import org.pecf.plugin.loaders.text.TextLoad;

/** Read lines of items, one line a user. */
final class CiteULikeLoader implements RatingLoader {
  private static final List<String> NAMES = List.of("users.dat");
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);

  /** The most digits of what is surely a number of 64 bits. */
  private static final int DIGITS = 18;

  private final CiteULikeOptions options;
  private final TextLoad load;

  CiteULikeLoader(CiteULikeOptions options, TextLoad load) {
    this.options = options;
    this.load = load;
  }

  @Override
  public Recognition recognise(DataSource source) {
    return SourceFile.path(source)
        .map(path -> SourceFile.named(path, NAMES))
        .filter(files -> !files.isEmpty())
        .flatMap(files -> Sample.ofText(files.get(0)))
        .map(CiteULikeLoader::recognise)
        .orElse(Recognition.NO);
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
    // As many columns in every line is a table, not lists of items.
    boolean ragged = rows.stream().mapToInt(row -> row.length).distinct().count() > 1;
    boolean rising = true;
    for (int i = 1; i < rows.size(); i++) {
      rising &= Long.parseLong(rows.get(i - 1)[0]) < Long.parseLong(rows.get(i)[0]);
    }
    if (!ragged) {
      return Recognition.NO;
    }
    return rising ? Recognition.LIKELY : Recognition.POSSIBLE;
  }

  /** Tell whether a line holds numbers, one at least, and nothing else. */
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
    Path path = SourceFile.requiredPath(source);
    TextFile file = TextFile.open(SourceFile.single(path, NAMES, SourceFile.named(path, NAMES)));
    List<TextInput> inputs = List.of(new TextInput(file, Sample.of(file).start()));
    if (options.layout() == Layout.LABELLED) {
      read(inputs, Layout.LABELLED, Map.of(), sink, context);
      return;
    }
    ConcurrentSkipListMap<Long, LineCounts> counts = new ConcurrentSkipListMap<>();
    load.survey(
        inputs,
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
    read(inputs, layout(file, total, context), linesBefore, sink, context);
  }

  /**
   * Tell the layout: counted if that is true of every line, labelled if it is true of a few by
   * chance. In between it is a counted file with errors, and its parser names the first one.
   */
  private Layout layout(TextFile file, LineCounts total, RunContext context) {
    if (options.layout() != Layout.AUTO) {
      return options.layout();
    }
    Layout layout = 2 * total.counted() >= total.users() ? Layout.COUNTED : Layout.LABELLED;
    context
        .listener()
        .on(
            new SourceRead(
                file.path()
                    + ": lines begin with "
                    + (layout == Layout.COUNTED
                        ? "the number of items (layout counted)"
                        : "the user's id (layout labelled)")));
    return layout;
  }

  private void read(
      List<TextInput> inputs,
      Layout layout,
      Map<Long, Long> linesBefore,
      RatingSink sink,
      RunContext context) {
    load.run(
        inputs,
        () -> new UserLineParser(layout, chunk -> linesBefore.getOrDefault(start(chunk), 0L)),
        SCHEMA,
        sink,
        context);
  }

  private static long start(Chunk chunk) {
    return chunk.offset() + chunk.from();
  }
}
