package org.pecf.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.OutputPage;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.UserRecommendations;

/** A printer of recommendations as text, list by list as they come. */
public abstract class RecommendationPrinter implements AutoCloseable {
  /** The form of the text. */
  public enum Form {
    /** A table for people. */
    TABLE,
    /** Comma-separated values, with the names of the columns first. */
    CSV,
    /** An array of users with their items. */
    JSON,
    /** An object per line: a user with its items. */
    JSONL
  }

  /**
   * The content of every list.
   *
   * @param columns the columns
   * @param page the page that tables are printed on
   */
  public record Content(RecommendationTable.Columns columns, OutputPage page) {}

  /**
   * Return a printer of a form.
   *
   * @param out the destination; flushed but not closed
   */
  public static RecommendationPrinter of(Form form, Content content, OutputStream out)
      throws IOException {
    return switch (form) {
      case TABLE -> new Table(content, out);
      case CSV -> new Csv(content, out);
      case JSON -> new Json(content, out, false);
      case JSONL -> new Json(content, out, true);
    };
  }

  /** Print the list of one user. */
  public abstract void print(UserRecommendations list) throws IOException;

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

    Table(Content content, OutputStream out) {
      this.out = out;
      this.columns = content.columns();
      this.page = content.page();
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
    public void print(UserRecommendations list) throws IOException {
      int place = 0;
      for (Recommendation item : list.items()) {
        List<String> row = new ArrayList<>();
        row.add(list.user());
        row.add(Integer.toString(++place));
        row.add(item.item());
        columns.titles().ifPresent(known -> row.add(known.apply(item.item())));
        row.add(Figures.text(item.score()));
        if (columns.sources()) {
          row.add(list.source().text());
        }
        table.row(row);
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

    Csv(Content content, OutputStream out) {
      this.out = out;
      this.columns = content.columns();
      lines.append(String.join(",", columns.names())).append('\n');
    }

    @Override
    public void print(UserRecommendations list) throws IOException {
      String user = quoted(list.user());
      int place = 0;
      for (Recommendation item : list.items()) {
        lines.append(user).append(',').append(++place).append(',').append(quoted(item.item()));
        if (columns.titles().isPresent()) {
          lines.append(',').append(quoted(columns.titles().get().apply(item.item())));
        }
        lines.append(',').append(item.score());
        if (columns.sources()) {
          lines.append(',').append(list.source().text());
        }
        lines.append('\n');
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

    Json(Content content, OutputStream out, boolean byLine) throws IOException {
      this.columns = content.columns();
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
