package org.pecf.plugin.loaders.csv;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
import org.pecf.plugin.loaders.csv.CsvLoaderProvider.Options;
import org.pecf.plugin.loaders.text.DelimitedParser;
import org.pecf.plugin.loaders.text.DelimitedParser.Layout;
import org.pecf.plugin.loaders.text.Sample;
import org.pecf.plugin.loaders.text.StagedSink;
import org.pecf.plugin.loaders.text.TextFile;
import org.pecf.plugin.loaders.text.TextReader;

/** The loader of delimited text. */
final class CsvLoader implements RatingLoader {
  private final Options options;
  private final TextReader reader;

  CsvLoader(Options options, TextReader reader) {
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
    CsvTable table = CsvTable.of(options, sample);
    Optional<CsvForm> form = form(sample, table);
    if (form.isPresent() && table.agreement() >= 0.9 && certain(form.get())) {
      return Recognition.POSSIBLE;
    }
    boolean decimalCommas =
        form.isPresent() && mostRatings(form.get(), DelimitedParser::decimalComma);
    // A table of numbers in most lines is broken ratings rather than something else.
    return headerAlone(table)
            || CsvForm.json(sample)
            || decimalCommas
            || table.agreement() >= 0.7 && table.numeric()
        ? Recognition.BROKEN
        : Recognition.NO;
  }

  private Optional<CsvForm> form(Sample sample, CsvTable table) {
    try {
      return Optional.of(CsvForm.of("", options, sample, table));
    } catch (PecfException e) {
      return Optional.empty();
    }
  }

  /** Return whether a text is but the header of ratings. */
  private static boolean headerAlone(CsvTable table) {
    List<String> names = table.rows().get(0);
    return table.rows().size() == 1
        && ColumnRole.USER.find(names).isPresent()
        && ColumnRole.ITEM.find(names).isPresent();
  }

  /**
   * Return whether a text has columns that are certainly ratings: columns with known names, numbers
   * in the place of the rating, or nothing but numbers. Prose has commas as well.
   */
  private static boolean certain(CsvForm form) {
    Layout layout = form.layout();
    boolean integers = layout.users() == IdKind.INTEGER && layout.items() == IdKind.INTEGER;
    return layout.roles().contains(ColumnRole.RATING)
        ? mostRatings(form, DelimitedParser::number)
        : form.named() || integers;
  }

  private static boolean mostRatings(CsvForm form, Predicate<String> kind) {
    int rating = form.layout().roles().indexOf(ColumnRole.RATING);
    List<List<String>> rows = form.ratings();
    long fitting =
        rows.stream()
            .filter(row -> rating >= 0 && row.size() > rating && kind.test(row.get(rating)))
            .count();
    return fitting >= 0.9 * rows.size();
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    TextFile file = TextFile.open(source.requiredPath());
    Sample sample = Sample.of(file);
    CsvForm form =
        CsvForm.of(file.path().toString(), options, sample, CsvTable.of(options, sample));
    Layout layout = form.layout();
    boolean guessed = options.ids() == Options.Ids.AUTO;
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
      TextFile file, Layout layout, boolean guessed, RatingSink sink, RunContext context) {
    reader.read(
        List.of(file),
        text -> new DelimitedParser(text, layout, guessed),
        layout.schema(),
        sink,
        context);
  }

  private static void announce(TextFile file, CsvForm form, Layout layout, RunContext context) {
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
