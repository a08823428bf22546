package org.pecf.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.OutputPage;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.UserRecommendations;

/** A printer of recommendations as text, list by list as they come. */
abstract class RecommendationPrinter implements AutoCloseable {
  /**
   * Return a printer.
   *
   * @param form the form of the text: table, csv, json or jsonl
   * @param columns the columns of every list
   * @param page the page that tables are printed on
   * @param out the destination; flushed but not closed
   */
  static RecommendationPrinter of(
      String form, RecommendationTable.Columns columns, OutputPage page, OutputStream out)
      throws IOException {
    return switch (form) {
      case "table" -> new Table(columns, page, out);
      case "csv" -> new Csv(columns, out);
      case "json" -> new Json(columns, out, false);
      case "jsonl" -> new Json(columns, out, true);
      default -> throw new IllegalArgumentException("not a form of text: " + form);
    };
  }

  /** Print the list of one user. */
  abstract void print(UserRecommendations list) throws IOException;

  /** Print the end. */
  @Override
  public abstract void close() throws IOException;

  private static final class Table extends RecommendationPrinter {
    /** The number of rows that decide how wide columns are. */
    private static final int ROWS = 1000;

    private final TextTable table = new TextTable();
    private final RecommendationTable.Columns columns;
    private final OutputStream out;
    private final OutputPage page;

    Table(RecommendationTable.Columns columns, OutputPage page, OutputStream out) {
      this.out = out;
      this.columns = columns;
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
    void print(UserRecommendations list) throws IOException {
      int place = 0;
      for (Recommendation item : list.items()) {
        table.row(
            columns.row(list, ++place, item).stream()
                .map(value -> value instanceof Float score ? Figures.text(score) : value.toString())
                .toList());
      }
      if (table.size() >= ROWS) {
        write();
      }
    }

    private void write() throws IOException {
      StringBuilder text = new StringBuilder();
      table.next(page).forEach(line -> text.append(line).append(System.lineSeparator()));
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
      if (table.size() > 0) {
        write();
      }
      out.flush();
    }
  }

  private static final class Csv extends RecommendationPrinter {
    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final RecommendationTable.Columns columns;
    private final StringBuilder lines = new StringBuilder(2 * BUFFER);

    Csv(RecommendationTable.Columns columns, OutputStream out) {
      this.out = out;
      this.columns = columns;
      lines.append(String.join(",", columns.names())).append('\n');
    }

    @Override
    void print(UserRecommendations list) throws IOException {
      int place = 0;
      for (Recommendation item : list.items()) {
        for (Object value : columns.row(list, ++place, item)) {
          lines.append(quoted(value.toString())).append(',');
        }
        lines.setCharAt(lines.length() - 1, '\n');
      }
      if (lines.length() >= BUFFER) {
        write();
      }
    }

    private void write() throws IOException {
      out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
      lines.setLength(0);
    }

    private static String quoted(String text) {
      for (int k = 0; k < text.length(); k++) {
        if (",\"\r\n".indexOf(text.charAt(k)) >= 0) {
          return "\"" + text.replace("\"", "\"\"") + "\"";
        }
      }
      return text;
    }

    @Override
    public void close() throws IOException {
      write();
      out.flush();
    }
  }

  private static final class Json extends RecommendationPrinter {
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
    void print(UserRecommendations list) throws IOException {
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
