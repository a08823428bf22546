package org.pecf.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.TableWriter;
import org.pecf.api.plugin.Choices;
import org.pecf.api.run.RunContext;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.Progress;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.UserRecommendations;

/**
 * The destination of recommendations, and their form: text on standard output or in a file, an
 * Arrow file, or a file in a format that a plugin writes, such as Parquet.
 */
public final class RecommendationOutput {
  private static final String ARROW = "arrow";
  private static final List<String> FORMS = List.of("table", "csv", "json", "jsonl", ARROW);

  private final String form;
  private final Optional<Path> file;
  private final Optional<TableWriter> writer;

  private RecommendationOutput(String form, Optional<Path> file, Optional<TableWriter> writer) {
    this.form = form;
    this.file = file;
    this.writer = writer;
  }

  /**
   * Return the output that options ask for, after checking that its destination can be written.
   *
   * @param form the form, if it was named; otherwise the ending of the file's name tells it, and
   *     standard output gets a table
   * @param file the file, if one was named
   * @throws PecfException if there is no such form, or the file cannot be written
   */
  public static RecommendationOutput of(
      Optional<String> form, Optional<Path> file, PluginCatalog catalog) {
    String named = form.orElseGet(() -> file.map(RecommendationOutput::ending).orElse("table"));
    Optional<TableWriter> writer = Optional.empty();
    if (!FORMS.contains(named)) {
      writer = writer(named, form.isPresent() ? Optional.empty() : file, catalog);
    }
    if (file.isEmpty() && (named.equals(ARROW) || writer.isPresent())) {
      throw PecfException.badOption(
          "Output in the format %s goes to a file. Name one with --out.", named);
    }
    file.ifPresent(place -> OutputFile.at(place).check());
    return new RecommendationOutput(named, file, writer);
  }

  private static String ending(Path file) {
    String name = file.getFileName() == null ? "" : file.getFileName().toString();
    String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    return switch (ending) {
      case "ndjson" -> "jsonl";
      case "feather" -> ARROW;
      case "txt" -> "table";
      default -> ending;
    };
  }

  private static Optional<TableWriter> writer(
      String id, Optional<Path> file, PluginCatalog catalog) {
    if (catalog.ids(ProviderKind.LOADER).contains(id)) {
      Optional<TableWriter> writer = catalog.writer(ProviderChoice.parse(id));
      if (writer.isPresent()) {
        return writer;
      }
    }
    List<String> known = List.of("table", "csv", "json", "jsonl", ARROW, "parquet");
    throw file.isPresent()
        ? PecfException.badOption(
            "The name of %s does not tell its format. End it in .csv, .json, .jsonl, .arrow or"
                + " .parquet, or add --output-format.",
            file.get())
        : PecfException.badOption(
            "--output-format cannot be '%s'.%s It is one of: %s.",
            id, Choices.suggestion(id, known), String.join(", ", known));
  }

  /** Return whether the output is for people to read, not for programs. */
  public boolean forPeople() {
    return form.equals("table");
  }

  /** Return the form of progress: nothing is redrawn among lists on standard output. */
  public Display.Form progress(Display.Form wished) {
    return wished == Display.Form.AUTO && file.isEmpty() ? Display.Form.LINES : wished;
  }

  /** Return the message about an output that was interrupted. */
  public String interrupted() {
    return file.isPresent()
        ? "Interrupted; nothing was written to " + file.get() + "."
        : "Interrupted; some lists are missing.";
  }

  /**
   * Lists to write.
   *
   * @param lists the lists, which may be computed as they are written
   * @param count how many there are
   * @param all whether they are of everybody
   * @param columns the columns of every list
   */
  public record Lists(
      Stream<UserRecommendations> lists,
      int count,
      boolean all,
      RecommendationTable.Columns columns) {}

  /**
   * Write lists as they come, and print how long that took if they are of everybody or in a file.
   *
   * @param console the destination unless there is a file
   * @param context the memory for tables
   * @param display shows how far it is
   * @throws PecfException if they cannot be written, or not be made: then no file is left
   */
  public void write(Lists made, Console console, RunContext context, Display display) {
    long start = System.nanoTime();
    int count = made.count();
    write(counted(made.lists().iterator(), count, display), made.columns(), console, context);
    // If standard output was closed, not all lists were made.
    if (made.all() && console.written() || file.isPresent()) {
      double seconds = (System.nanoTime() - start) / 1e9;
      display.line(
          String.format(
              Locale.ROOT,
              "%s %s in %s, %,.0f a second%s",
              Figures.count(count),
              count == 1 ? "list" : "lists",
              Figures.seconds(seconds),
              count / seconds,
              file.map(place -> "; written to " + place).orElse("")));
    }
  }

  private static Iterator<UserRecommendations> counted(
      Iterator<UserRecommendations> lists, int count, Display display) {
    return new Iterator<>() {
      private int made;

      @Override
      public boolean hasNext() {
        return lists.hasNext();
      }

      @Override
      public UserRecommendations next() {
        if (made++ % 1024 == 0) {
          display.show(
              Progress.activity(
                  "making lists: " + Figures.count(made) + " of " + Figures.count(count)));
        }
        return lists.next();
      }
    };
  }

  private void write(
      Iterator<UserRecommendations> lists,
      RecommendationTable.Columns columns,
      Console console,
      RunContext context) {
    if (form.equals(ARROW) || writer.isPresent()) {
      try (RecommendationTable table =
          new RecommendationTable(lists, columns, context.allocator())) {
        table.writeTo(file.orElseThrow(), writer, context);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    } else if (file.isPresent()) {
      OutputFile target = OutputFile.at(file.get());
      try (OutputFile.Draft draft = target.begin()) {
        OutputStream out = Channels.newOutputStream(draft.channel());
        print(lists, columns, Terminal.none(), out, () -> true);
        draft.complete();
      } catch (IOException e) {
        throw target.failed(e);
      }
    } else {
      try {
        print(lists, columns, console.page(), console.out(), console::written);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void print(
      Iterator<UserRecommendations> lists,
      RecommendationTable.Columns columns,
      Terminal page,
      OutputStream out,
      BooleanSupplier arrived)
      throws IOException {
    try (Printer printer = printer(columns, page, out)) {
      // The reader of standard output may have closed it.
      for (int k = 0; lists.hasNext() && (k % 256 != 0 || arrived.getAsBoolean()); k++) {
        printer.print(lists.next());
      }
    }
  }

  /**
   * Return the printer of the form.
   *
   * @param out the destination; flushed but not closed
   */
  private Printer printer(RecommendationTable.Columns columns, Terminal page, OutputStream out)
      throws IOException {
    return switch (form) {
      case "table" -> new Table(columns, page, out);
      case "csv" -> new Csv(columns, out);
      case "json" -> new Json(columns, out, false);
      case "jsonl" -> new Json(columns, out, true);
      default -> throw new IllegalArgumentException("not a form of text: " + form);
    };
  }

  /** A printer of lists as text, as they come; closing it prints the end. */
  private interface Printer extends Closeable {
    void print(UserRecommendations list) throws IOException;
  }

  /** A printer that has a row for each item, and writes many rows at once. */
  private abstract static class Rows implements Printer {
    private final RecommendationTable.Columns columns;
    private final OutputStream out;

    Rows(RecommendationTable.Columns columns, OutputStream out) {
      this.columns = columns;
      this.out = out;
    }

    abstract void add(List<Object> row);

    /** Return whether it is time to write. */
    abstract boolean full();

    /** Return the text of the rows since the last call. */
    abstract String text();

    @Override
    public void print(UserRecommendations list) throws IOException {
      int place = 0;
      for (Recommendation item : list.items()) {
        add(columns.row(list, ++place, item));
      }
      if (full()) {
        write();
      }
    }

    private void write() throws IOException {
      out.write(text().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
      write();
      out.flush();
    }
  }

  private static final class Table extends Rows {
    /** The number of rows that decide how wide columns are. */
    private static final int ROWS = 1000;

    private final TextTable table = new TextTable();
    private final Terminal page;

    Table(RecommendationTable.Columns columns, Terminal page, OutputStream out) {
      super(columns, out);
      this.page = page;
      table.column(columns.subject(), align(columns.subjects())).right("place");
      table.column(columns.listed(), align(columns.items()));
      columns.titles().ifPresent(known -> table.left("title"));
      table.right(columns.score());
      if (columns.sources()) {
        table.left("source");
      }
    }

    private static Align align(IdKind kind) {
      return kind == IdKind.INTEGER ? Align.RIGHT : Align.LEFT;
    }

    @Override
    void add(List<Object> row) {
      table.row(
          row.stream()
              .map(value -> value instanceof Float score ? Figures.text(score) : value.toString())
              .toList());
    }

    @Override
    boolean full() {
      return table.size() >= ROWS;
    }

    @Override
    String text() {
      if (table.size() == 0) {
        return "";
      }
      return String.join(System.lineSeparator(), table.next(page)) + System.lineSeparator();
    }
  }

  private static final class Csv extends Rows {
    private static final int BUFFER = 1 << 16;

    private final StringBuilder lines = new StringBuilder(2 * BUFFER);

    Csv(RecommendationTable.Columns columns, OutputStream out) {
      super(columns, out);
      lines.append(String.join(",", columns.names())).append('\n');
    }

    @Override
    void add(List<Object> row) {
      for (Object value : row) {
        lines.append(quoted(value.toString())).append(',');
      }
      lines.setCharAt(lines.length() - 1, '\n');
    }

    @Override
    boolean full() {
      return lines.length() >= BUFFER;
    }

    @Override
    String text() {
      String text = lines.toString();
      lines.setLength(0);
      return text;
    }

    private static String quoted(String text) {
      for (int k = 0; k < text.length(); k++) {
        if (",\"\r\n".indexOf(text.charAt(k)) >= 0) {
          return "\"" + text.replace("\"", "\"\"") + "\"";
        }
      }
      return text;
    }
  }

  private static final class Json implements Printer {
    private final RecommendationTable.Columns columns;
    private final boolean byLine;
    private final JsonGenerator generator;

    Json(RecommendationTable.Columns columns, OutputStream out, boolean byLine) throws IOException {
      this.columns = columns;
      this.byLine = byLine;
      this.generator =
          new JsonFactory()
              .createGenerator(out)
              .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
              .setPrettyPrinter(
                  byLine ? new MinimalPrettyPrinter("\n") : new DefaultPrettyPrinter());
      if (!byLine) {
        generator.writeStartArray();
      }
    }

    @Override
    public void print(UserRecommendations list) throws IOException {
      generator.writeStartObject();
      writeId(columns.subject(), columns.subjects(), list.user());
      if (columns.sources()) {
        generator.writeStringField("source", list.source().text());
      }
      generator.writeArrayFieldStart("items");
      for (Recommendation item : list.items()) {
        generator.writeStartObject();
        writeId(columns.listed(), columns.items(), item.item());
        if (columns.titles().isPresent()) {
          generator.writeStringField("title", columns.titles().get().apply(item.item()));
        }
        generator.writeNumberField(columns.score(), item.score());
        generator.writeEndObject();
      }
      generator.writeEndArray();
      generator.writeEndObject();
    }

    private void writeId(String field, IdKind kind, String id) throws IOException {
      if (kind == IdKind.INTEGER) {
        generator.writeNumberField(field, Long.parseLong(id));
      } else {
        generator.writeStringField(field, id);
      }
    }

    @Override
    public void close() throws IOException {
      if (!byLine) {
        generator.writeEndArray();
      }
      generator.writeRaw('\n');
      generator.close();
    }
  }
}
