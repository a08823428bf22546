package org.pecf.serve.model;

import java.text.Normalizer;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.recommend.ItemTitles;

/** The search for items by title or id. Case and accents do not count. */
final class ItemSearch {
  private static final Pattern MARKS = Pattern.compile("\\p{M}+");

  private final IdMap items;
  private final String[] titles;

  ItemSearch(IdMap items, Optional<ItemTitles> titles) {
    this.items = items;
    this.titles =
        titles
            .map(
                known ->
                    IntStream.range(0, items.size())
                        .mapToObj(index -> plain(known.of(items.textAt(index))))
                        .toArray(String[]::new))
            .orElse(new String[0]);
  }

  /** Return the ids of matching items: whole matches, beginnings, words, then anything inside. */
  List<String> find(String text, int count) {
    String wanted = plain(text.strip());
    if (titles.length == 0 || wanted.isEmpty()) {
      return byId(items, text.strip()).limit(count).mapToObj(items::textAt).toList();
    }
    record Match(int index, int quality) {}
    return IntStream.range(0, titles.length)
        .mapToObj(index -> new Match(index, quality(index, wanted)))
        .filter(match -> match.quality() < Integer.MAX_VALUE)
        .sorted(Comparator.comparingInt(Match::quality))
        .limit(count)
        .map(match -> items.textAt(match.index()))
        .toList();
  }

  private int quality(int index, String wanted) {
    String title = titles[index];
    int place = title.indexOf(wanted);
    if (place == 0) {
      return title.length() == wanted.length() ? 0 : 2;
    }
    if (items.textAt(index).equals(wanted)) {
      return 1;
    }
    if (place < 0) {
      return Integer.MAX_VALUE;
    }
    return title.contains(" " + wanted) ? 3 : 4;
  }

  /** Return the indexes of ids that begin with a text, in their order. */
  static IntStream byId(IdMap ids, String beginning) {
    return IntStream.range(0, ids.size()).filter(index -> ids.textAt(index).startsWith(beginning));
  }

  private static String plain(String text) {
    return MARKS
        .matcher(Normalizer.normalize(text, Normalizer.Form.NFD))
        .replaceAll("")
        .toLowerCase(Locale.ROOT);
  }
}
