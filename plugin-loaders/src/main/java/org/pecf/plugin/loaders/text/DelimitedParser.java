package org.pecf.plugin.loaders.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.support.ColumnRole;

/**
 * A parser of lines with delimited columns.
 *
 * <p>Plain lines (small unsigned numbers without quotes) are read in one go, column by column;
 * every other line, right or wrong, is divided first and read by all the rules. Both ways give the
 * same values.
 */
public final class DelimitedParser implements LineParser {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,\\d+");
  private static final Pattern NOT_FINITE = Pattern.compile("(?i)[-+]?(nan|inf|infinity)");

  /** Numbers of at most seven digits, and powers of ten up to this one, are exact as floats. */
  private static final int EXACT_DIGITS = 7;

  private static final float[] FLOAT_POWERS = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};

  private static final long[] POWERS = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
  };

  /** The answer that a column or a line is not plain. */
  private static final int NOT_PLAIN = -1;

  private final DelimitedLayout layout;
  private final boolean guessedIds;
  private final FieldSplitter fields;
  private final ColumnRole[] roles;
  private final boolean plain;
  private final int step;
  private final long delimiter;
  private final long delimiterMask;

  /** The report that an id is not an integer although all ids before it were. */
  public static final class WrongGuess extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ColumnRole role;

    private WrongGuess(ColumnRole role) {
      super(role.word(), null, false, false);
      this.role = role;
    }

    /** Return whether it is the id of a user or of an item. */
    public ColumnRole role() {
      return role;
    }
  }

  /**
   * Create a parser.
   *
   * @param guessedIds whether integer ids are only a guess, so that an id that is not an integer
   *     ends the reading with {@link WrongGuess}
   */
  public DelimitedParser(DelimitedLayout layout, boolean guessedIds) {
    this.layout = layout;
    this.guessedIds = guessedIds;
    this.fields = new FieldSplitter(layout.delimiter(), layout.quotes());
    this.roles = layout.roles().toArray(ColumnRole[]::new);
    this.plain =
        layout.users() == IdKind.INTEGER
            && layout.items() == IdKind.INTEGER
            && !layout.roles().contains(ColumnRole.SKIPPED)
            && (layout.time() == TimeFormat.SECONDS || layout.time() == TimeFormat.DATE);
    this.step = layout.delimiter().length();
    this.delimiter = Digits.word(layout.delimiter());
    this.delimiterMask = (1L << step * Byte.SIZE) - 1;
  }

  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    reserve(chunk, ratings);
    int position = chunk.from();
    while (position < chunk.to()) {
      position = next(chunk, position, ratings);
    }
  }

  /** Make room for the ratings of a chunk. */
  public void reserve(Chunk chunk, RatingColumns ratings) {
    // A line has at least one byte per column: its delimiters and its line feed.
    ratings.reserve((chunk.to() - chunk.from()) / roles.length + 1);
  }

  /**
   * Read one line; a blank line holds no rating.
   *
   * @return the index of the next line
   */
  public int next(Chunk chunk, int from, RatingColumns ratings) {
    int next = plain ? plainLine(chunk.bytes(), from, ratings) : NOT_PLAIN;
    return next == NOT_PLAIN ? line(chunk, from, ratings) : next;
  }

  /** Read one plain line; return the index of the next line. */
  int plainLine(byte[] bytes, int from, RatingColumns ratings) {
    int position = from;
    for (int column = 0; column < roles.length; column++) {
      if (column > 0) {
        if ((Digits.word(bytes, position) & delimiterMask) != delimiter) {
          return NOT_PLAIN;
        }
        position += step;
      }
      position =
          switch (roles[column]) {
            case USER -> plainInteger(bytes, position, ratings.users.numbers, ratings.count);
            case ITEM -> plainInteger(bytes, position, ratings.items.numbers, ratings.count);
            case RATING -> plainRating(bytes, position, ratings.ratings, ratings.count);
            case TIME -> plainTime(bytes, position, ratings.times, ratings.count);
            case SKIPPED -> NOT_PLAIN;
          };
      if (position == NOT_PLAIN) {
        return NOT_PLAIN;
      }
    }
    if (bytes[position] == '\r') {
      position++;
    }
    if (bytes[position] != '\n') {
      return NOT_PLAIN;
    }
    ratings.count++;
    return position + 1;
  }

  /** Read an integer of at most 16 digits; return the index after it. */
  private static int plainInteger(byte[] bytes, int from, long[] target, int index) {
    long word = Digits.word(bytes, from);
    int digits = Digits.count(word);
    if (digits == 0 || (word & 0xff) == '0' && digits > 1) {
      return NOT_PLAIN;
    }
    long value = Digits.value(word, digits);
    if (digits == Long.BYTES) {
      long second = Digits.word(bytes, from + Long.BYTES);
      int more = Digits.count(second);
      if (more > 0) {
        value = value * POWERS[more] + Digits.value(second, more);
        digits += more;
      }
    }
    target[index] = value;
    return from + digits;
  }

  private static int plainRating(byte[] bytes, int from, float[] target, int index) {
    long word = Digits.word(bytes, from);
    int digits = Digits.count(word);
    int end = from + digits;
    if (bytes[end] == '.') {
      end += 1 + Digits.count(Digits.word(bytes, end + 1));
    }
    if (digits == 1 && end == from + 3) {
      // By far the most frequent form: a digit, the point, a digit.
      target[index] = ((word & 0xf) * 10 + (word >>> 16 & 0xf)) / 10f;
      return end;
    }
    float value = plainNumber(bytes, from, end);
    if (Float.isNaN(value)) {
      return NOT_PLAIN;
    }
    target[index] = value;
    return end;
  }

  private int plainTime(byte[] bytes, int from, long[] target, int index) {
    if (layout.time() == TimeFormat.SECONDS) {
      return plainInteger(bytes, from, target, index);
    }
    OptionalLong day = layout.time().read(bytes, from, from + TimeFormat.DATE_LENGTH);
    if (day.isEmpty()) {
      return NOT_PLAIN;
    }
    target[index] = day.getAsLong();
    return from + TimeFormat.DATE_LENGTH;
  }

  /** Read one line by all the rules; return the index of the next line. */
  int line(Chunk chunk, int from, RatingColumns ratings) {
    byte[] bytes = chunk.bytes();
    int lineFeed = chunk.lineEnd(from);
    int to = lineFeed > from && bytes[lineFeed - 1] == '\r' ? lineFeed - 1 : lineFeed;
    if (to == from) {
      return lineFeed + 1;
    }
    int quote = fields.split(bytes, from, to);
    if (quote >= 0) {
      throw bad(
          chunk,
          quote,
          "a quote is not closed, or not followed by a delimiter. Double the quotes inside a quoted"
              + " column, put no line break into one, or read the file without quotes");
    }
    int columns = roles.length;
    if (fields.count() != columns) {
      throw bad(
          chunk,
          fields.count() < columns ? to : fields.start(columns),
          "too %s columns: %d instead of %d in '%s'",
          fields.count() < columns ? "few" : "many",
          fields.count(),
          columns,
          Excerpt.of(bytes, from, to));
    }
    int index = ratings.count;
    for (int column = 0; column < columns; column++) {
      switch (roles[column]) {
        case USER, ITEM -> id(chunk, column, ratings);
        case RATING -> ratings.ratings[index] = rating(chunk, column);
        case TIME -> ratings.times[index] = time(chunk, column);
        case SKIPPED -> {}
      }
    }
    ratings.count++;
    return lineFeed + 1;
  }

  private void id(Chunk chunk, int column, RatingColumns ratings) {
    byte[] bytes = chunk.bytes();
    ColumnRole role = roles[column];
    IdColumn ids = role == ColumnRole.USER ? ratings.users : ratings.items;
    int from = fields.start(column);
    int to = fields.end(column);
    if (from == to) {
      throw bad(chunk, from, "the %s is missing", role.word());
    }
    if (ids.kind() == IdKind.INTEGER) {
      if (!Digits.canonical(bytes, from, to)) {
        if (guessedIds) {
          throw new WrongGuess(role);
        }
        throw bad(
            chunk,
            from,
            "%s '%s' is not a 64-bit whole number without leading zeros",
            role.word(),
            Excerpt.of(bytes, from, to));
      }
      ids.numbers[ratings.count] = Digits.integer(bytes, from, to);
      return;
    }
    checkText(chunk, column);
    if (fields.quoted(column)) {
      byte[] text = halveQuotes(bytes, from, to);
      ids.text(ratings.count, text, 0, text.length);
    } else {
      ids.text(ratings.count, bytes, from, to);
    }
  }

  private void checkText(Chunk chunk, int column) {
    byte[] bytes = chunk.bytes();
    int from = fields.start(column);
    int to = fields.end(column);
    boolean ascii = true;
    for (int i = from; i < to; i++) {
      if (bytes[i] == 0) {
        throw chunk.nulByte(i);
      }
      ascii &= bytes[i] > 0;
    }
    if (!ascii) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
      } catch (CharacterCodingException e) {
        throw bad(
            chunk,
            from,
            "%s '%s' is not UTF-8. Convert the file to UTF-8",
            roles[column].word(),
            Excerpt.of(bytes, from, to));
      }
    }
  }

  private float rating(Chunk chunk, int column) {
    int from = fields.start(column);
    int to = fields.end(column);
    if (from == to) {
      throw bad(chunk, from, "the rating is missing");
    }
    float value = plainNumber(chunk.bytes(), from, to);
    return Float.isNaN(value) ? anyNumber(chunk, from, to) : value;
  }

  /** Return the number that a few digits with or without a point stand for, or NaN. */
  private static float plainNumber(byte[] bytes, int from, int to) {
    if (to - from > EXACT_DIGITS + 1) {
      return Float.NaN;
    }
    int mantissa = 0;
    int digits = 0;
    int point = to;
    for (int i = from; i < to; i++) {
      if (bytes[i] == '.' && point == to) {
        point = i;
      } else if (bytes[i] >= '0' && bytes[i] <= '9') {
        mantissa = mantissa * 10 + bytes[i] - '0';
        digits++;
      } else {
        return Float.NaN;
      }
    }
    int decimals = point == to ? 0 : to - point - 1;
    return digits == 0 || digits > EXACT_DIGITS ? Float.NaN : mantissa / FLOAT_POWERS[decimals];
  }

  private float anyNumber(Chunk chunk, int from, int to) {
    String text = new String(chunk.bytes(), from, to - from, StandardCharsets.ISO_8859_1);
    String problem;
    if (NUMBER.matcher(text).matches()) {
      float value = Float.parseFloat(text);
      if (Float.isFinite(value)) {
        return value;
      }
      problem = "is too large for a 32-bit number";
    } else {
      problem =
          decimalComma(text)
              ? "has a decimal comma. Write points, such as " + text.replace(',', '.')
              : NOT_FINITE.matcher(text).matches() ? "is not a finite number" : "is not a number";
    }
    throw bad(chunk, from, "rating '%s' %s", Excerpt.of(chunk.bytes(), from, to), problem);
  }

  private long time(Chunk chunk, int column) {
    int from = fields.start(column);
    int to = fields.end(column);
    OptionalLong time = layout.time().read(chunk.bytes(), from, to);
    if (time.isEmpty()) {
      throw bad(
          chunk,
          from,
          "time '%s' is not %s",
          Excerpt.of(chunk.bytes(), from, to),
          layout.time().description());
    }
    return time.getAsLong();
  }

  /** Return whether a text is a number with a comma instead of the point. */
  public static boolean decimalComma(String text) {
    return DECIMAL_COMMA.matcher(text).matches();
  }

  private PecfException bad(Chunk chunk, int index, String format, Object... arguments) {
    for (int i = fields.line(); i < fields.lineEnd(); i++) {
      if (chunk.bytes()[i] == 0) {
        return chunk.nulByte(i);
      }
    }
    return chunk.problem(
        index,
        "%s. Expected %s; correct this line or leave it out.",
        String.format(Locale.ROOT, format, arguments),
        layout.expected());
  }

  private static byte[] halveQuotes(byte[] bytes, int from, int to) {
    byte[] text = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      text[length++] = bytes[i];
      if (bytes[i] == '"') {
        i++;
      }
    }
    return Arrays.copyOf(text, length);
  }
}
