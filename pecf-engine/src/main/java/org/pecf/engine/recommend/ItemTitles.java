package org.pecf.engine.recommend;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.file.FileProblem;

/**
 * The titles of items, from a text file with an item per line: its id, then its title.
 *
 * <p>Columns are separated by ::, |, tabs, semicolons or commas, whichever the first line has, and
 * may be quoted. If the first line names columns, the title is the one called title or name, else
 * the second. The file is in UTF-16 if it begins with its mark, in UTF-8 or, if that fails, in
 * Latin 1, as MovieLens 100K is.
 */
public final class ItemTitles {
  private static final List<String> SEPARATORS = List.of("::", "\t", "|", ";", ",");
  private static final List<String> NAMES = List.of("title", "name");

  private final Map<String, String> titles;

  private ItemTitles(Map<String, String> titles) {
    this.titles = titles;
  }

  /**
   * Read the titles of a model's items.
   *
   * @throws PecfException if the file cannot be read, or knows none of the items
   */
  public static ItemTitles read(Path file, IdMap items) {
    List<List<String>> rows = rows(text(file));
    int column = 1;
    if (!rows.isEmpty() && items.search(rows.get(0).get(0)).isEmpty()) {
      List<String> header = rows.get(0);
      for (int k = header.size() - 1; k > 0; k--) {
        if (NAMES.contains(header.get(k).toLowerCase(Locale.ROOT))) {
          column = k;
        }
      }
    }
    Map<String, String> titles = new HashMap<>();
    for (List<String> row : rows) {
      if (row.size() > column) {
        String title = row.get(column);
        items.search(row.get(0)).ifPresent(index -> titles.putIfAbsent(items.textAt(index), title));
      }
    }
    if (titles.isEmpty()) {
      throw PecfException.badData(
          "%s has a title for none of the model's items. Name a file whose lines start with the id"
              + " of an item, then its title, separated by a comma, a tab, | or ::.",
          file);
    }
    return new ItemTitles(titles);
  }

  /** Return the title of an item, or an empty text if it has none. */
  public String of(String item) {
    return titles.getOrDefault(item, "");
  }

  private static String text(Path file) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 1 && (bytes[0] & bytes[1] & 0xfe) == 0xfe && bytes[0] != bytes[1]) {
        return new String(bytes, StandardCharsets.UTF_16);
      }
      try {
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
      } catch (CharacterCodingException e) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
      }
    } catch (IOException e) {
      throw PecfException.badData(
              "The titles cannot be read from %s (%s). Name a text file of ids and titles.",
              file, FileProblem.unreadable(file, e))
          .causedBy(e);
    }
  }

  private static List<List<String>> rows(String text) {
    String first = text.lines().findFirst().orElse("");
    String separator = SEPARATORS.stream().filter(first::contains).findFirst().orElse(",");
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int k = 0; k < text.length(); k++) {
      char letter = text.charAt(k);
      if (quoted) {
        if (letter != '"') {
          field.append(letter);
        } else if (k + 1 < text.length() && text.charAt(k + 1) == '"') {
          field.append(letter);
          k++;
        } else {
          quoted = false;
        }
      } else if (letter == '"' && field.isEmpty()) {
        quoted = true;
      } else if (text.startsWith(separator, k)) {
        row.add(taken(field));
        k += separator.length() - 1;
      } else if (letter == '\n') {
        row.add(taken(field));
        rows.add(row);
        row = new ArrayList<>();
      } else {
        field.append(letter);
      }
    }
    if (!field.isEmpty() || !row.isEmpty()) {
      row.add(taken(field));
      rows.add(row);
    }
    return rows;
  }

  private static String taken(StringBuilder field) {
    String text = field.toString().strip();
    field.setLength(0);
    return text;
  }
}
