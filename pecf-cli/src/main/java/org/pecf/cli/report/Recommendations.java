package org.pecf.cli.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.data.IdMap;

/** Print ranked lists with the ids of the source. */
public final class Recommendations {
  /** Name the forms. */
  public enum Form {
    /** For people. */
    TABLE,
    /** Comma-separated values: user, place, item, score. */
    CSV,
    /** An array of users with their items. */
    JSON
  }

  /**
   * Hold the list of a user.
   *
   * @param user the index of the user
   * @param items the indexes of the items, best first
   * @param scores their scores
   */
  public record Ranked(int user, List<Integer> items, List<Float> scores) {
    public Ranked {
      items = List.copyOf(items);
      scores = List.copyOf(scores);
    }
  }

  private final IdMap users;
  private final IdMap items;

  /** Create a printer of the ids of a model. */
  public Recommendations(IdMap users, IdMap items) {
    this.users = users;
    this.items = items;
  }

  /** Print lists. */
  public void print(List<Ranked> lists, Form form, PrintStream out) {
    switch (form) {
      case TABLE -> table(lists, out);
      case CSV -> csv(lists, out);
      case JSON -> json(lists, out);
    }
    out.flush();
  }

  private void table(List<Ranked> lists, PrintStream out) {
    TextTable table =
        new TextTable()
            .column("user", align(users))
            .column("place", Align.RIGHT)
            .column("item", align(items))
            .column("score", Align.RIGHT);
    for (Ranked list : lists) {
      for (int place = 0; place < list.items().size(); place++) {
        table.row(
            List.of(
                users.textAt(list.user()),
                Integer.toString(place + 1),
                items.textAt(list.items().get(place)),
                Figures.text(list.scores().get(place))));
      }
    }
    table.lines().forEach(out::println);
  }

  private static Align align(IdMap ids) {
    return ids.kind() == IdKind.INTEGER ? Align.RIGHT : Align.LEFT;
  }

  private void csv(List<Ranked> lists, PrintStream out) {
    out.print("user,place,item,score\n");
    for (Ranked list : lists) {
      for (int place = 0; place < list.items().size(); place++) {
        out.print(
            quoted(users.textAt(list.user()))
                + ","
                + (place + 1)
                + ","
                + quoted(items.textAt(list.items().get(place)))
                + ","
                + String.format(Locale.ROOT, "%.9g", list.scores().get(place))
                + "\n");
      }
    }
  }

  private static String quoted(String text) {
    return text.chars().anyMatch(letter -> ",\"\r\n".indexOf(letter) >= 0)
        ? "\"" + text.replace("\"", "\"\"") + "\""
        : text;
  }

  private void json(List<Ranked> lists, PrintStream out) {
    try (JsonGenerator generator =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(new DefaultPrettyPrinter())) {
      generator.writeStartArray();
      for (Ranked list : lists) {
        generator.writeStartObject();
        writeId(generator, "user", users, list.user());
        generator.writeArrayFieldStart("items");
        for (int place = 0; place < list.items().size(); place++) {
          generator.writeStartObject();
          writeId(generator, "item", items, list.items().get(place));
          generator.writeNumberField("score", list.scores().get(place));
          generator.writeEndObject();
        }
        generator.writeEndArray();
        generator.writeEndObject();
      }
      generator.writeEndArray();
      generator.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeId(JsonGenerator generator, String field, IdMap ids, int index)
      throws IOException {
    if (ids.kind() == IdKind.INTEGER) {
      generator.writeNumberField(field, ids.integerAt(index));
    } else {
      generator.writeStringField(field, ids.textAt(index));
    }
  }
}
