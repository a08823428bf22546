package org.pecf.plugin.loaders.csv;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.LoaderNote;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.ColumnRole;
import org.pecf.plugin.loaders.text.DelimitedLayout;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.FieldSplitter;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.StagedSink;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of delimited text. */
final class CsvLoader implements RatingLoader {
  private final CsvOptions options;
  private final TextReader reader;

  CsvLoader(CsvOptions options, TextReader reader) {
    this.options = options;
    this.reader = reader;
  }

  @Override
  public Recognition recognise(DataSource source) {
    Optional<Path> path = source.path().filter(Files::isRegularFile);
    if (path.isEmpty()) {
      return Recognition.NO;
    }
    return Sample.ofText(path.get())
        .map(this::recognise)
        .orElse(unreadable(path.get()) ? Recognition.BROKEN : Recognition.NO);
  }

  /** Return whether a file is empty or damaged, so that loading it explains the problem. */
  private static boolean unreadable(Path path) {
    try {
      Sample.of(TextFile.open(path));
      return false;
    } catch (PecfException e) {
      return true;
    }
  }

  private Recognition recognise(Sample sample) {
    if (readable(sample)) {
      return Recognition.POSSIBLE;
    }
    String delimiter = Delimiters.of(options, sample);
    if (headerAlone(sample, delimiter) || CsvForm.json(sample) || decimalCommas(sample)) {
      return Recognition.BROKEN;
    }
    // A table of numbers in most lines is broken ratings rather than something else.
    return Delimiters.agreement(delimiter, options.quotes(), sample) >= 0.7
            && Delimiters.numeric(delimiter, options.quotes(), sample)
        ? Recognition.BROKEN
        : Recognition.NO;
  }

  /** Return whether a text is but the header of ratings. */
  private static boolean headerAlone(Sample sample, String delimiter) {
    if (sample.lines().size() != 1) {
      return false;
    }
    String line = sample.text(sample.lines().get(0));
    List<String> names = List.of(line.split(Pattern.quote(delimiter), -1));
    return ColumnRole.USER.find(names).isPresent() && ColumnRole.ITEM.find(names).isPresent();
  }

  /**
   * Return whether a text has columns that are certainly ratings: columns with known names, numbers
   * in the place of the rating, or nothing but numbers. Prose has commas as well.
   */
  private boolean readable(Sample sample) {
    try {
      CsvForm form = CsvForm.of("", options, sample);
      DelimitedLayout layout = form.layout();
      if (Delimiters.agreement(layout.delimiter(), layout.quotes(), sample) < 0.9) {
        return false;
      }
      List<Sample.Line> lines =
          sample.lines().stream().filter(line -> line.from() >= form.start()).toList();
      if (lines.isEmpty()) {
        return false;
      }
      int rating = layout.roles().indexOf(ColumnRole.RATING);
      boolean integers = layout.users() == IdKind.INTEGER && layout.items() == IdKind.INTEGER;
      if (rating < 0) {
        return form.named() || integers;
      }
      return mostRatings(form, sample, CsvForm::number);
    } catch (PecfException e) {
      return false;
    }
  }

  /** Return whether a text would be ratings if it had points instead of decimal commas. */
  private boolean decimalCommas(Sample sample) {
    try {
      CsvForm form = CsvForm.of("", options, sample);
      return form.layout().roles().contains(ColumnRole.RATING)
          && mostRatings(form, sample, DelimitedParser::decimalComma);
    } catch (PecfException e) {
      return false;
    }
  }

  private static boolean mostRatings(CsvForm form, Sample sample, Predicate<String> kind) {
    DelimitedLayout layout = form.layout();
    int rating = layout.roles().indexOf(ColumnRole.RATING);
    List<Sample.Line> lines =
        sample.lines().stream().filter(line -> line.from() >= form.start()).toList();
    FieldSplitter splitter = new FieldSplitter(layout.delimiter(), layout.quotes());
    long fitting =
        lines.stream()
            .filter(
                line ->
                    splitter.split(sample.bytes(), line.from(), line.to()) < 0
                        && splitter.count() > rating
                        && kind.test(splitter.text(rating)))
            .count();
    return !lines.isEmpty() && fitting >= 0.9 * lines.size();
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile whole = TextFile.open(source.requiredPath());
    CsvForm form = CsvForm.of(whole.path().toString(), options, Sample.of(whole));
    TextFile file = whole.startingAt(form.start());
    DelimitedLayout layout = form.layout();
    boolean guessed = options.ids() == CsvOptions.Ids.AUTO;
    while (guessed && (layout.users() == IdKind.INTEGER || layout.items() == IdKind.INTEGER)) {
      try (StagedSink stage = new StagedSink(context)) {
        read(file, layout, true, stage, context);
        announce(file, form, layout, context);
        stage.release(sink);
        return;
      } catch (DelimitedParser.WrongGuess e) {
        layout = layout.withTextIds(e.role());
      }
    }
    read(file, layout, false, sink, context);
    announce(file, form, layout, context);
  }

  private void read(
      TextFile file, DelimitedLayout layout, boolean guessed, RatingSink sink, RunContext context) {
    reader.read(
        List.of(file), () -> new DelimitedParser(layout, guessed), layout.schema(), sink, context);
  }

  private static void announce(
      TextFile file, CsvForm form, DelimitedLayout layout, RunContext context) {
    String columns =
        IntStream.range(0, layout.roles().size())
            .filter(i -> layout.roles().get(i) != ColumnRole.SKIPPED)
            .mapToObj(
                i -> {
                  ColumnRole role = layout.roles().get(i);
                  String what =
                      switch (role) {
                        case USER, ITEM -> " (" + Choices.nameOf(layout.kind(role)) + ")";
                        case TIME -> " (" + Choices.nameOf(layout.time()) + ")";
                        default -> "";
                      };
                  return role.word() + " in column " + (i + 1) + what;
                })
            .collect(Collectors.joining(", "));
    context.listener().on(new LoaderNote(file.path() + ": " + columns));
    form.notes().forEach(note -> context.listener().on(new LoaderNote(note)));
  }
}
