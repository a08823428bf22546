package org.pecf.plugin.loaders.text;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;

/**
 * A parser of the lines of a text file into ratings.
 *
 * <p>FastCSV divides lines into columns and hands them to {@link #handleField}. It reads bytes as
 * the characters of ISO 8859-1, so that numbers need no decoding and ids keep their bytes.
 */
public abstract class LineParser extends AbstractBaseCsvCallbackHandler<Boolean>
    implements AutoCloseable {
  /** A character that no byte stands for. */
  private static final char NO_QUOTE = '\uffff';

  private static final int LONGEST_COLUMN = 1 << 24;
  private static final int LINES_AT_A_TIME = 1 << 16;

  private final TextFile file;
  private final String delimiter;
  private final boolean quotes;
  private final String expected;
  private final CsvReader<Boolean> lines;
  private @Nullable RatingColumns ratings;
  private int mostRatings;

  /**
   * Create a parser of all lines.
   *
   * @param delimiter one or two ASCII characters
   * @param quotes whether a column may be in double quotes, with quotes inside it doubled
   * @param expected the form of a line, for messages
   */
  protected LineParser(TextFile file, String delimiter, boolean quotes, String expected) {
    this.file = file;
    this.delimiter = delimiter;
    this.quotes = quotes;
    this.expected = expected;
    try {
      this.lines =
          CsvReader.builder()
              .fieldSeparator(delimiter)
              .quoteCharacter(quotes ? '"' : NO_QUOTE)
              .allowUnclosedQuote(false)
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .maxBufferSize(LONGEST_COLUMN)
              .build(this, file.stream(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw file.unreadable(e);
    }
  }

  /** Pass over the first line that is not blank, of which there must be one. */
  protected final void skipHeader() {
    try {
      lines.skipLines(line -> !line.isEmpty(), Integer.MAX_VALUE);
      lines.skipLines(1);
    } catch (UncheckedIOException e) {
      close();
      throw file.unreadable(Objects.requireNonNull(e.getCause()));
    }
  }

  /**
   * Read lines until the columns are full, no lines are left, or many were read.
   *
   * @param target receives the ratings. Modified.
   * @param most the number of ratings from which on it is full
   * @return whether lines may be left
   */
  public final boolean read(RatingColumns target, int most) {
    ratings = target;
    mostRatings = most;
    try {
      return lines.iterator().hasNext() && lines.iterator().next();
    } catch (UncheckedIOException e) {
      throw file.unreadable(Objects.requireNonNull(e.getCause()));
    } catch (CsvParseException e) {
      if (e.getCause() instanceof RuntimeException problem) {
        throw problem;
      }
      if (e.getCause() instanceof Error problem) {
        throw problem;
      }
      throw undivided();
    }
  }

  /** Return the columns that receive the ratings of the current line. */
  protected final RatingColumns ratings() {
    return Objects.requireNonNull(ratings);
  }

  /** End a line; FastCSV goes on until this returns something. */
  @Override
  protected final @Nullable Boolean buildRecord() {
    if (getRecordType() == RecordType.DATA) {
      handleEnd(getFieldCount());
    }
    boolean enough =
        ratings().isFull(mostRatings) || getStartingLineNumber() % LINES_AT_A_TIME == 0;
    return enough ? true : null;
  }

  /** Handle the end of a line that is not blank. */
  protected abstract void handleEnd(int columns);

  /** Create the report of the current line, which could not be divided. */
  private PecfException undivided() {
    String text = text();
    int quote = divided(text).badQuote();
    return quote < 0
        ? report(
            text,
            0,
            "a line is longer than %d MiB. Name a text file of ratings whose lines end in line"
                + " feeds.",
            LONGEST_COLUMN >> 20)
        : bad(
            text,
            quote,
            "a quote is not closed, or not followed by a delimiter. Double the quotes inside a"
                + " quoted column, or read the file without quotes");
  }

  /**
   * Read the beginning of the text from the current line on once more, for a message: its bytes as
   * the characters of ISO 8859-1.
   */
  protected final String text() {
    return file.text(getStartingLineNumber());
  }

  /** Divide the first line of a text. */
  protected final DividedLine divided(String text) {
    return DividedLine.of(text, delimiter, quotes);
  }

  /** Create the report of a problem in the current line, with the form of a line as remedy. */
  protected final PecfException bad(String text, int index, String format, Object... arguments) {
    return report(
        text,
        index,
        "%s. Expected %s; correct this line or leave it out.",
        String.format(Locale.ROOT, format, arguments),
        expected);
  }

  /**
   * Create the report of a problem in the current line: {@code path:line:column: message}.
   *
   * @param text the text from the current line on
   * @param index where in it the problem is
   */
  protected final PecfException report(String text, int index, String format, Object... arguments) {
    int nul = text.indexOf('\0');
    return nul < 0 || nul >= divided(text).end()
        ? file.problem(getStartingLineNumber(), text, index, format, arguments)
        : file.problem(
            getStartingLineNumber(),
            text,
            nul,
            "there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or UTF-16.");
  }

  @Override
  public final void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw file.unreadable(e);
    }
  }
}
