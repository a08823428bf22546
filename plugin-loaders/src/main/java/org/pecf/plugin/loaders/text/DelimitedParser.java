package org.pecf.plugin.loaders.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.support.ColumnRole;

/** A parser of lines with a column for each part of a rating. */
public class DelimitedParser extends LineParser {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern DECIMAL_COMMA = Pattern.compile("[-+]?\\d*,\\d+");
  private static final Pattern NOT_FINITE = Pattern.compile("(?i)[-+]?(nan|inf|infinity)");

  /** Numbers of at most seven digits, and powers of ten up to this one, are exact as floats. */
  private static final int EXACT_DIGITS = 7;

  private static final float[] POWERS = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};

  private final Layout layout;
  private final boolean guessedIds;
  private final ColumnRole[] roles;

  /**
   * The division of the lines of a text file into columns, and the role of each column.
   *
   * @param delimiter one or two ASCII characters
   * @param quotes whether a column may be put in double quotes
   * @param header whether the first line names the columns
   * @param roles the role of each column; every line has this many columns
   * @param users the kind of user ids
   * @param items the kind of item ids
   * @param time the format of times
   * @param expected the form of a line, for messages
   */
  public record Layout(
      String delimiter,
      boolean quotes,
      boolean header,
      List<ColumnRole> roles,
      IdKind users,
      IdKind items,
      TimeFormat time,
      String expected) {
    public Layout {
      roles = List.copyOf(roles);
    }

    /** Return the schema of the ratings. */
    public RatingSchema schema() {
      return new RatingSchema(
          users, items, roles.contains(ColumnRole.RATING), roles.contains(ColumnRole.TIME));
    }

    /** Return the kind of ids in a role. */
    public IdKind kind(ColumnRole role) {
      return role == ColumnRole.USER ? users : items;
    }

    /** Return the same layout with text ids in one role. */
    public Layout withTextIds(ColumnRole role) {
      return new Layout(
          delimiter,
          quotes,
          header,
          roles,
          role == ColumnRole.USER ? IdKind.TEXT : users,
          role == ColumnRole.ITEM ? IdKind.TEXT : items,
          time,
          expected);
    }
  }

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
  public DelimitedParser(TextFile file, Layout layout, boolean guessedIds) {
    super(file, layout.delimiter(), layout.quotes(), layout.expected());
    this.layout = layout;
    this.guessedIds = guessedIds;
    this.roles = layout.roles().toArray(ColumnRole[]::new);
    if (layout.header()) {
      skipHeader();
    }
  }

  @Override
  protected void handleField(int column, char[] text, int from, int length, boolean quoted) {
    RatingColumns ratings = ratings();
    int to = from + length;
    if (column == 0) {
      ratings.reserve(1);
    }
    switch (column < roles.length ? roles[column] : ColumnRole.SKIPPED) {
      case USER, ITEM -> id(column, text, from, to, ratings);
      case RATING -> ratings.ratings[ratings.count()] = rating(column, text, from, to);
      case TIME -> ratings.times[ratings.count()] = time(column, text, from, to);
      case SKIPPED -> {}
    }
  }

  @Override
  protected void handleEnd(int columns) {
    if (columns != roles.length) {
      throw wrongCount();
    }
    ratings().next();
  }

  private void id(int column, char[] text, int from, int to, RatingColumns ratings) {
    ColumnRole role = roles[column];
    RatingColumns.Ids ids = role == ColumnRole.USER ? ratings.users : ratings.items;
    long plain = ids.kind() == IdKind.INTEGER ? Digits.unsigned(text, from, to) : -1;
    if (plain >= 0) {
      ids.numbers[ratings.count()] = plain;
    } else if (from == to) {
      throw bad(column, "the %s is missing", role.word());
    } else if (ids.kind() == IdKind.TEXT) {
      checkText(column, text, from, to);
      ids.text(ratings.count(), text, from, to);
    } else {
      ids.numbers[ratings.count()] = integer(column, new String(text, from, to - from));
    }
  }

  private long integer(int column, String text) {
    OptionalLong integer = Digits.integer(text);
    if (integer.isEmpty()) {
      throw guessedIds
          ? new WrongGuess(roles[column])
          : bad(
              column,
              "%s '%s' is not a 64-bit whole number without leading zeros",
              roles[column].word(),
              Excerpt.ofBytes(text));
    }
    return integer.getAsLong();
  }

  /** Refuse what is no text. */
  private void checkText(int column, char[] text, int from, int to) {
    boolean ascii = true;
    for (int i = from; i < to; i++) {
      if (text[i] == 0) {
        throw bad(column, "there is a NUL byte");
      }
      ascii &= text[i] < 0x80;
    }
    if (!ascii) {
      try {
        String bytes = new String(text, from, to - from);
        StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)));
      } catch (CharacterCodingException e) {
        throw bad(
            column,
            "%s '%s' is not UTF-8. Convert the file to UTF-8",
            roles[column].word(),
            Excerpt.ofBytes(new String(text, from, to - from)));
      }
    }
  }

  private float rating(int column, char[] text, int from, int to) {
    if (from == to) {
      throw bad(column, "the rating is missing");
    }
    float value = plainNumber(text, from, to);
    return Float.isNaN(value) ? anyNumber(column, text, from, to) : value;
  }

  /** Return the number that a few digits with or without a point stand for, or NaN. */
  private static float plainNumber(char[] text, int from, int to) {
    if (to - from > EXACT_DIGITS + 1) {
      return Float.NaN;
    }
    int mantissa = 0;
    int digits = 0;
    int point = to;
    for (int i = from; i < to; i++) {
      if (text[i] == '.' && point == to) {
        point = i;
      } else if (text[i] >= '0' && text[i] <= '9') {
        mantissa = mantissa * 10 + text[i] - '0';
        digits++;
      } else {
        return Float.NaN;
      }
    }
    int decimals = point == to ? 0 : to - point - 1;
    return digits == 0 || digits > EXACT_DIGITS ? Float.NaN : mantissa / POWERS[decimals];
  }

  private float anyNumber(int column, char[] characters, int from, int to) {
    String text = new String(characters, from, to - from);
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
    throw bad(column, "rating '%s' %s", Excerpt.ofBytes(text), problem);
  }

  /** Return whether a text is a number as ratings are written. */
  public static boolean number(String text) {
    return NUMBER.matcher(text).matches();
  }

  /** Return whether a text is a number with a comma instead of the point. */
  public static boolean decimalComma(String text) {
    return DECIMAL_COMMA.matcher(text).matches();
  }

  private long time(int column, char[] text, int from, int to) {
    OptionalLong time = layout.time().read(text, from, to);
    if (time.isEmpty()) {
      throw bad(
          column,
          "time '%s' is not %s",
          Excerpt.ofBytes(new String(text, from, to - from)),
          layout.time().description());
    }
    return time.getAsLong();
  }

  /** Create the report of a column, unless the line has the wrong number of them. */
  private PecfException bad(int column, String format, Object... arguments) {
    String text = text();
    DividedLine line = divided(text);
    return line.columns().size() == roles.length
        ? bad(text, line.start(column), format, arguments)
        : wrongCount();
  }

  private PecfException wrongCount() {
    String text = text();
    DividedLine line = divided(text);
    int columns = line.columns().size();
    return bad(
        text,
        line.start(roles.length),
        "too %s columns: %d instead of %d in '%s'",
        columns < roles.length ? "few" : "many",
        columns,
        roles.length,
        Excerpt.ofBytes(text.substring(0, line.end())));
  }
}
