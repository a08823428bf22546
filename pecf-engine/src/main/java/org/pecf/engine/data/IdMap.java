package org.pecf.engine.data;

import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.ByteFunctionHelpers;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.memory.Side;
import org.pecf.api.plugin.Choices;

/**
 * The map between the dense indexes of one side of the grid and the ids of the source.
 *
 * <p>Ids are whole numbers or texts, as in the source, and never converted into each other. Indexes
 * follow the ascending order of ids (by number, or by the unsigned bytes of UTF-8), so the same
 * data gets the same indexes in any order of rows, and an id is found by bisection.
 */
public final class IdMap implements AutoCloseable {
  /** The most text ids that are compared to suggest the nearest one. */
  private static final int SUGGESTION_LIMIT = 20_000;

  private final Side side;
  private final IdKind kind;
  private final FieldVector ids;

  private IdMap(Side side, IdKind kind, FieldVector ids) {
    this.side = side;
    this.kind = kind;
    this.ids = ids;
  }

  /**
   * Create a map of ascending ids.
   *
   * @param side the side of the grid
   * @param ids a {@link BigIntVector} or a {@link VarCharVector}, strictly ascending. Owned by the
   *     map from now on; closed if the map is not valid.
   */
  public static IdMap of(Side side, FieldVector ids) {
    try {
      IdKind kind;
      if (ids instanceof BigIntVector) {
        kind = IdKind.INTEGER;
      } else if (ids instanceof VarCharVector) {
        kind = IdKind.TEXT;
      } else {
        throw new IllegalArgumentException(
            "ids are a BigIntVector or a VarCharVector, not a " + ids.getClass().getSimpleName());
      }
      IdMap map = new IdMap(side, kind, ids);
      for (int index = 0; index < map.size(); index++) {
        if (ids.isNull(index)) {
          throw new IllegalArgumentException("there is no id at " + index);
        }
        if (index > 0 && map.compare(index - 1, index) >= 0) {
          throw new IllegalArgumentException("the ids are not strictly ascending at " + index);
        }
      }
      return map;
    } catch (RuntimeException e) {
      ids.close();
      throw e;
    }
  }

  /**
   * Create a map of ids without looking at them. Ids that are not ascending are not found.
   *
   * @param side the side of the grid
   * @param ids a {@link BigIntVector} or a {@link VarCharVector}. Owned by the map from now on.
   */
  public static IdMap ofUnchecked(Side side, FieldVector ids) {
    return new IdMap(side, ids instanceof BigIntVector ? IdKind.INTEGER : IdKind.TEXT, ids);
  }

  /** Return the side of the grid that has these ids. */
  public Side side() {
    return side;
  }

  /** Return the kind of the ids. */
  public IdKind kind() {
    return kind;
  }

  /** Return the number of ids. */
  public int size() {
    return ids.getValueCount();
  }

  /** Return the ids in the order of their indexes; the vector stays owned by the map. */
  public FieldVector vector() {
    return ids;
  }

  /** Return the id of an index as text, exactly as in the source. */
  public String textAt(int index) {
    return kind == IdKind.INTEGER
        ? Long.toString(((BigIntVector) ids).get(index))
        : new String(bytesAt(index), StandardCharsets.UTF_8);
  }

  private byte[] bytesAt(int index) {
    VarCharVector texts = (VarCharVector) ids;
    byte[] bytes = new byte[end(texts, index) - texts.getStartOffset(index)];
    texts.getDataBuffer().getBytes(texts.getStartOffset(index), bytes);
    return bytes;
  }

  /** Return the end of a text, once it and its start are known to lie within the texts. */
  private int end(VarCharVector texts, int index) {
    int start = texts.getStartOffset(index);
    int end = texts.getEndOffset(index);
    if (start < 0 || end < start || end > texts.getDataBuffer().capacity()) {
      // A mapped model may be opened without looking at all of it.
      throw PecfException.badModel(
          "The ids of the model's %s are damaged: the text of number %d does not lie within them."
              + " Restore the model from a copy, or train again.",
          side == Side.USERS ? "users" : "items", index);
    }
    return end;
  }

  /**
   * Return the id of an index as a number.
   *
   * @throws IllegalStateException if ids are texts
   */
  public long integerAt(int index) {
    if (kind != IdKind.INTEGER) {
      throw new IllegalStateException("the ids are texts");
    }
    return ((BigIntVector) ids).get(index);
  }

  /** Return the index of a whole-number id; empty if it is unknown or ids are texts. */
  public OptionalInt find(long id) {
    if (kind != IdKind.INTEGER) {
      return OptionalInt.empty();
    }
    int place = lowerBound(id);
    return place < size() && integerAt(place) == id ? OptionalInt.of(place) : OptionalInt.empty();
  }

  /** Return the index of a text id; empty if it is unknown or ids are whole numbers. */
  public OptionalInt find(String id) {
    if (kind != IdKind.TEXT) {
      return OptionalInt.empty();
    }
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    int place = lowerBound(bytes);
    return place < size() && compare(place, bytes) == 0
        ? OptionalInt.of(place)
        : OptionalInt.empty();
  }

  /** Return the index of an id written as text, read as a number if ids are numbers. */
  public OptionalInt search(String written) {
    if (kind == IdKind.TEXT) {
      return find(written);
    }
    OptionalLong id = integer(written);
    return id.isPresent() ? find(id.getAsLong()) : OptionalInt.empty();
  }

  /**
   * Return whether a text could be an id: where ids are whole numbers, only the text of one as it
   * is usually written, without leading zeros or a plus sign.
   */
  public boolean canHold(String written) {
    return kind == IdKind.TEXT || integer(written).isPresent();
  }

  /** Return the integer that a text is the usual form of: 01, +1 and other digits are texts. */
  private static OptionalLong integer(String written) {
    try {
      long id = Long.parseLong(written);
      return Long.toString(id).equals(written) ? OptionalLong.of(id) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Return the index of an id that a person typed, read as a number if ids are numbers.
   *
   * @throws PecfException if there is no such id; the text names the nearest ones
   */
  public int indexOf(String typed) {
    return kind == IdKind.INTEGER ? indexOfInteger(typed) : indexOfText(typed);
  }

  private int indexOfInteger(String typed) {
    long id =
        integer(typed)
            .orElseThrow(
                () ->
                    unknown(
                        typed,
                        "Ids of %ss are whole numbers from %s to %s, without leading zeros, signs"
                            + " or blanks.",
                        noun(),
                        first(),
                        last()));
    int place = lowerBound(id);
    if (place < size() && integerAt(place) == id) {
      return place;
    }
    throw unknown(
        typed,
        "Ids of %ss run from %s to %s; the nearest %s.",
        noun(),
        first(),
        last(),
        around(place));
  }

  private int indexOfText(String typed) {
    byte[] bytes = typed.getBytes(StandardCharsets.UTF_8);
    int place = lowerBound(bytes);
    if (place < size() && compare(place, bytes) == 0) {
      return place;
    }
    String suggestion = size() <= SUGGESTION_LIMIT ? Choices.suggestion(typed, new Texts()) : "";
    throw unknown(typed, "The nearest in order %s.%s", around(place), suggestion);
  }

  private PecfException unknown(String typed, String explanation, Object... arguments) {
    return PecfException.badOption(
        "No %s has the id '%s'. %s",
        noun(), typed, String.format(Locale.ROOT, explanation, arguments));
  }

  private String noun() {
    return side.name().substring(0, side.name().length() - 1).toLowerCase(Locale.ROOT);
  }

  private String first() {
    return textAt(0);
  }

  private String last() {
    return textAt(size() - 1);
  }

  private String around(int place) {
    if (place == 0 || place == size()) {
      return "is '" + textAt(Math.min(place, size() - 1)) + "'";
    }
    return "are '" + textAt(place - 1) + "' and '" + textAt(place) + "'";
  }

  private int lowerBound(long id) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (integerAt(middle) < id) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int lowerBound(byte[] id) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, id) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int index, byte[] id) {
    VarCharVector texts = (VarCharVector) ids;
    return ByteFunctionHelpers.compare(
        texts.getDataBuffer(), texts.getStartOffset(index), end(texts, index), id, 0, id.length);
  }

  private int compare(int left, int right) {
    if (kind == IdKind.INTEGER) {
      return Long.compare(integerAt(left), integerAt(right));
    }
    VarCharVector texts = (VarCharVector) ids;
    ArrowBuf data = texts.getDataBuffer();
    return ByteFunctionHelpers.compare(
        data,
        texts.getStartOffset(left),
        end(texts, left),
        data,
        texts.getStartOffset(right),
        end(texts, right));
  }

  @Override
  public void close() {
    ids.close();
  }

  /** The ids as texts, made on request. */
  private final class Texts extends AbstractList<String> {
    @Override
    public String get(int index) {
      return textAt(index);
    }

    @Override
    public int size() {
      return IdMap.this.size();
    }
  }
}
