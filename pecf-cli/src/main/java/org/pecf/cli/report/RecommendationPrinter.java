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
import java.util.Optional;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.Page;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.UserRecommendations;

/** A printer of recommendations as text, list by list as they come. */
public abstract class RecommendationPrinter implements AutoCloseable {
  /** The form of the text. */
  public enum Form {
    /** A table for people. */
    TABLE,
    /** Comma-separated values: user, place, item, title if titles are known, score. */
    CSV,
    /** An array of users with their items. */
    JSON,
    /** An object per line: a user with its items. */
    JSONL
  }

  /**
   * The content of every list.
   *
   * @param users the kind of user ids
   * @param items the kind of item ids
   * @param titles the titles of items, if they are to be shown
   * @param page the page that tables are printed on
   */
  public record Content(IdKind users, IdKind items, Optional<ItemTitles> titles, Page page) {}

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
    private final Optional<ItemTitles> titles;
    private final OutputStream out;
    private final Page page;

    Table(Content content, OutputStream out) {
      this.out = out;
      this.titles = content.titles();
      this.page = content.page();
      table.column("user", align(content.users())).right("place");
      table.column("item", align(content.items()));
      titles.ifPresent(known -> table.left("title"));
      table.right("score");
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
        titles.ifPresent(known -> row.add(known.of(item.item())));
        row.add(Figures.text(item.score()));
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
    private final Optional<ItemTitles> titles;
    private final StringBuilder lines = new StringBuilder(2 * BUFFER);

    Csv(Content content, OutputStream out) {
      this.out = out;
      this.titles = content.titles();
      lines.append(
          titles.isPresent() ? "user,place,item,title,score\n" : "user,place,item,score\n");
    }

    @Override
    public void print(UserRecommendations list) throws IOException {
      String user = quoted(list.user());
      int place = 0;
      for (Recommendation item : list.items()) {
        lines.append(user).append(',').append(++place).append(',').append(quoted(item.item()));
        if (titles.isPresent()) {
          lines.append(',').append(quoted(titles.get().of(item.item())));
        }
        lines.append(',').append(item.score()).append('\n');
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
    private final Content content;
    private final boolean byLine;
    private final JsonGenerator generator;

    Json(Content content, OutputStream out, boolean byLine) throws IOException {
      this.content = content;
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
      writeId("user", content.users(), list.user());
      generator.writeArrayFieldStart("items");
      for (Recommendation item : list.items()) {
        generator.writeStartObject();
        writeId("item", content.items(), item.item());
        if (content.titles().isPresent()) {
          generator.writeStringField("title", content.titles().get().of(item.item()));
        }
        generator.writeNumberField("score", item.score());
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
