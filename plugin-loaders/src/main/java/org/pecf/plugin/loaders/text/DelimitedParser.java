package org.pecf.plugin.loaders.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.pecf.api.data.ColumnRole;
import org.pecf.api.data.IdKind;

/**
 * A parser of lines with delimited columns.
 *
 * <p>Lines in the usual plain form (user, item, rating and time in this order, small unsigned
 * numbers, no quotes) take a {@linkplain PlainLines fast path}; every other line, right or wrong,
 * takes the slow path, which knows all the rules. Both give the same values.
 */
public final class DelimitedParser implements LineParser {
  private static final List<ColumnRole> PLAIN =
      List.of(ColumnRole.USER, ColumnRole.ITEM, ColumnRole.RATING, ColumnRole.TIME);

  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,\\d+");
  private static final Pattern NOT_FINITE = Pattern.compile("(?i)[-+]?(nan|inf|infinity)");

  /** Numbers of at most seven digits, and powers of ten up to this one, are exact as floats. */
  static final int EXACT_DIGITS = 7;

  private static final float[] FLOAT_POWERS = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};

  private final DelimitedLayout layout;
  private final boolean guessedIds;
  private final FieldSplitter fields;

  /** The fast path, or null if lines of this layout cannot be plain. */
  private final @Nullable PlainLines plainLines;

  /**
   * Create a parser.
   *
   * @param guessedIds whether integer ids are only a guess, so that an id that is not an integer
   *     ends the reading with {@link TextIdFound}
   */
  public DelimitedParser(DelimitedLayout layout, boolean guessedIds) {
    this.layout = layout;
    this.guessedIds = guessedIds;
    this.fields = new FieldSplitter(layout.delimiter(), layout.quotes());
    int columns = layout.roles().size();
    boolean plain =
        columns >= 2
            && columns <= PLAIN.size()
            && layout.roles().equals(PLAIN.subList(0, columns))
            && layout.users() == IdKind.INTEGER
            && layout.items() == IdKind.INTEGER
            && layout.time() == TimeFormat.SECONDS;
    this.plainLines = plain ? new PlainLines(layout.delimiter(), columns) : null;
  }

  @Override
  public void parse(Chunk chunk, RatingColumns ratings) {
    // A line has at least one byte per column: its delimiters and its line feed.
    ratings.reserve((chunk.to() - chunk.from()) / layout.roles().size() + 1);
    int position = chunk.from();
    while (position < chunk.to()) {
      if (plainLines != null) {
        position = plainLines.read(chunk.bytes(), position, chunk.to(), ratings);
      }
      if (position < chunk.to()) {
        position = line(chunk, position, ratings);
      }
    }
  }

  /**
   * Read one line by all the rules; a blank line holds no rating.
   *
   * @return the index of the next line
   */
  public int line(Chunk chunk, int from, RatingColumns ratings) {
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
          from,
          to,
          quote,
          "a quote is not closed, or not followed by a delimiter. Double the quotes inside a quoted"
              + " column, put no line break into one, or read the file without quotes");
    }
    int columns = layout.roles().size();
    if (fields.count() != columns) {
      throw bad(
          chunk,
          from,
          to,
          fields.count() < columns ? to : fields.start(columns),
          "too %s columns: %d instead of %d in '%s'",
          fields.count() < columns ? "few" : "many",
          fields.count(),
          columns,
          Excerpt.of(bytes, from, to));
    }
    int index = ratings.count;
    for (int column = 0; column < columns; column++) {
      ColumnRole role = layout.roles().get(column);
      switch (role) {
        case USER -> id(chunk, from, to, column, role, ratings.users, index);
        case ITEM -> id(chunk, from, to, column, role, ratings.items, index);
        case RATING -> ratings.ratings[index] = rating(chunk, from, to, column);
        case TIME -> ratings.times[index] = time(chunk, from, to, column);
        case SKIPPED -> {}
      }
    }
    ratings.count++;
    return lineFeed + 1;
  }

  private void id(
      Chunk chunk, int line, int lineEnd, int column, ColumnRole role, IdColumn ids, int index) {
    byte[] bytes = chunk.bytes();
    int from = fields.start(column);
    int to = fields.end(column);
    if (from == to) {
      throw bad(chunk, line, lineEnd, from, "the %s is missing", role.word());
    }
    if (ids.kind() == IdKind.INTEGER) {
      if (!Digits.canonical(bytes, from, to)) {
        if (guessedIds) {
          throw new TextIdFound(role);
        }
        throw bad(
            chunk,
            line,
            lineEnd,
            from,
            "%s '%s' is not a 64-bit whole number without leading zeros",
            role.word(),
            Excerpt.of(bytes, from, to));
      }
      ids.numbers[index] = Digits.integer(bytes, from, to);
      return;
    }
    checkText(chunk, line, lineEnd, from, to, role);
    if (fields.doubled(column)) {
      byte[] text = halveQuotes(bytes, from, to);
      ids.text(index, text, 0, text.length);
    } else {
      ids.text(index, bytes, from, to);
    }
  }

  private void checkText(Chunk chunk, int line, int lineEnd, int from, int to, ColumnRole role) {
    byte[] bytes = chunk.bytes();
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
            line,
            lineEnd,
            from,
            "%s '%s' is not UTF-8. Convert the file to UTF-8",
            role.word(),
            Excerpt.of(bytes, from, to));
      }
    }
  }

  private float rating(Chunk chunk, int line, int lineEnd, int column) {
    byte[] bytes = chunk.bytes();
    int from = fields.start(column);
    int to = fields.end(column);
    if (from == to) {
      throw bad(chunk, line, lineEnd, from, "the rating is missing");
    }
    float value = plainNumber(bytes, from, to);
    return Float.isNaN(value) ? anyNumber(chunk, line, lineEnd, from, to) : value;
  }

  /** Return the number that a few digits with or without a point stand for, or NaN. */
  static float plainNumber(byte[] bytes, int from, int to) {
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

  private float anyNumber(Chunk chunk, int line, int lineEnd, int from, int to) {
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
    throw bad(
        chunk, line, lineEnd, from, "rating '%s' %s", Excerpt.of(chunk.bytes(), from, to), problem);
  }

  private long time(Chunk chunk, int line, int lineEnd, int column) {
    int from = fields.start(column);
    int to = fields.end(column);
    OptionalLong time = layout.time().read(chunk.bytes(), from, to);
    if (time.isEmpty()) {
      throw bad(
          chunk,
          line,
          lineEnd,
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

  private TextProblem bad(
      Chunk chunk, int line, int lineEnd, int index, String format, Object... arguments) {
    for (int i = line; i < lineEnd; i++) {
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
