package org.pecf.cli.report;

import org.jspecify.annotations.Nullable;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.UserRecommendations;

/**
 * A printer of recommendations, which prints a list as soon as it gets it where the form allows.
 */
public abstract class RecommendationPrinter
    implements Consumer<UserRecommendations>, AutoCloseable {
  /** The form of the output. */
  public enum Form {
    /** A table for people, printed at the end. */
    TABLE,
    /** Comma-separated values: user, place, item, score. */
    CSV,
    /** An array of users with their items. */
    JSON
  }

  /**
   * Return a printer of a form.
   *
   * @param users the kind of user ids
   * @param items the kind of item ids
   * @param out the destination; flushed but not closed
   */
  public static RecommendationPrinter of(Form form, IdKind users, IdKind items, PrintStream out) {
    return switch (form) {
      case TABLE -> new Table(users, items, out);
      case CSV -> new Csv(out);
      case JSON -> new Json(users, items, out);
    };
  }

  /** Print the list of one user. */
  @Override
  public abstract void accept(UserRecommendations list);

  /** Print the end. */
  @Override
  public abstract void close();

  private static final class Table extends RecommendationPrinter {
    private final TextTable table;
    private final PrintStream out;
    private boolean empty = true;

    Table(IdKind users, IdKind items, PrintStream out) {
      this.out = out;
      this.table =
          new TextTable()
              .column("user", align(users))
              .column("place", Align.RIGHT)
              .column("item", align(items))
              .column("score", Align.RIGHT);
    }

    private static Align align(IdKind kind) {
      return kind == IdKind.INTEGER ? Align.RIGHT : Align.LEFT;
    }

    @Override
    public void accept(UserRecommendations list) {
      empty = false;
      int place = 0;
      for (Recommendation item : list.items()) {
        table.row(
            List.of(
                list.user(), Integer.toString(++place), item.item(), Figures.text(item.score())));
      }
    }

    @Override
    public void close() {
      if (!empty) {
        table.lines().forEach(out::println);
        out.flush();
      }
    }
  }

  private static final class Csv extends RecommendationPrinter {
    private final PrintStream out;
    private boolean begun;

    Csv(PrintStream out) {
      this.out = out;
    }

    @Override
    public void accept(UserRecommendations list) {
      StringBuilder lines = new StringBuilder(begun ? "" : "user,place,item,score\n");
      begun = true;
      int place = 0;
      for (Recommendation item : list.items()) {
        lines
            .append(quoted(list.user()))
            .append(',')
            .append(++place)
            .append(',')
            .append(quoted(item.item()))
            .append(',')
            .append(String.format(Locale.ROOT, "%.9g", item.score()))
            .append('\n');
      }
      out.print(lines);
    }

    private static String quoted(String text) {
      return text.chars().anyMatch(letter -> ",\"\r\n".indexOf(letter) >= 0)
          ? "\"" + text.replace("\"", "\"\"") + "\""
          : text;
    }

    @Override
    public void close() {
      out.flush();
    }
  }

  private static final class Json extends RecommendationPrinter {
    private final IdKind users;
    private final IdKind items;
    private final PrintStream out;
    private @Nullable JsonGenerator generator;

    Json(IdKind users, IdKind items, PrintStream out) {
      this.users = users;
      this.items = items;
      this.out = out;
    }

    @Override
    public void accept(UserRecommendations list) {
      try {
        if (generator == null) {
          generator =
              new JsonFactory()
                  .createGenerator(out)
                  .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                  .setPrettyPrinter(new DefaultPrettyPrinter());
          generator.writeStartArray();
        }
        generator.writeStartObject();
        writeId("user", users, list.user());
        generator.writeArrayFieldStart("items");
        for (Recommendation item : list.items()) {
          generator.writeStartObject();
          writeId("item", items, item.item());
          generator.writeNumberField("score", item.score());
          generator.writeEndObject();
        }
        generator.writeEndArray();
        generator.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void writeId(String field, IdKind kind, String id) throws IOException {
      if (kind == IdKind.INTEGER) {
        generator.writeNumberField(field, Long.parseLong(id));
      } else {
        generator.writeStringField(field, id);
      }
    }

    @Override
    public void close() {
      if (generator == null) {
        return;
      }
      try {
        generator.writeEndArray();
        generator.writeRaw('\n');
        generator.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
