package org.pecf.api;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A problem in words that its reader can act on.
 *
 * <p>It is the only exception type that crosses the SPI on purpose; anything else that escapes a
 * plugin is reported as a fault of that plugin.
 *
 * <p>All texts follow one rule. The first sentence starts with a capital letter or a quoted name
 * and says what is wrong, and where: the file and line, the option, the plugin. The next one says
 * how to fix it. Every sentence ends with a full stop, and memory is given in MiB. Code below the
 * command line does not name command-line flags. A text is one line: breaks in what it quotes
 * become blanks, other control characters question marks, and very long values are cut.
 */
@API(status = API.Status.STABLE, since = "0.1")
public final class PecfException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern BREAKS = Pattern.compile("[\\t\\v]+");
  private static final int LONGEST = 1500;
  private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");

  private final ErrorCode code;

  private PecfException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /**
   * Create the report of a problem of a kind that is known at run time only.
   *
   * @param code the kind of problem, which also says who can fix it
   * @param format the text, see {@link java.util.Formatter}; numbers are written in the root locale
   * @param arguments the values that the text inserts. Not modified.
   */
  public static PecfException of(ErrorCode code, String format, @Nullable Object... arguments) {
    return new PecfException(
        Objects.requireNonNull(code),
        oneLine(
            arguments.length == 0
                ? format
                : String.format(Locale.ROOT, format, shortened(arguments))));
  }

  /** Return a text without control characters: names and values come from files of anyone. */
  private static String oneLine(String text) {
    return CONTROL.matcher(BREAKS.matcher(text).replaceAll(" ")).replaceAll("?");
  }

  /** Return arguments of which texts are no longer than anybody reads. */
  private static Object[] shortened(Object... arguments) {
    Object[] shortened = arguments.clone();
    for (int k = 0; k < arguments.length; k++) {
      if (arguments[k] instanceof String text && text.length() > LONGEST) {
        shortened[k] = text.substring(0, LONGEST) + "…";
      }
    }
    return shortened;
  }

  /** Report an option, key or combination of options that has no meaning. */
  public static PecfException badOption(String format, @Nullable Object... arguments) {
    return of(ErrorCode.BAD_OPTION, format, arguments);
  }

  /** Report a file that is missing, malformed or does not hold what was asked for. */
  public static PecfException badData(String format, @Nullable Object... arguments) {
    return of(ErrorCode.BAD_DATA, format, arguments);
  }

  /** Report a model folder that is missing, corrupt or of a newer format. */
  public static PecfException badModel(String format, @Nullable Object... arguments) {
    return of(ErrorCode.BAD_MODEL, format, arguments);
  }

  /** Report a plugin, backend or provider that was asked for and cannot be used. */
  public static PecfException unavailable(String format, @Nullable Object... arguments) {
    return of(ErrorCode.UNAVAILABLE, format, arguments);
  }

  /** Report a plugin that breaks its contract. */
  public static PecfException pluginFault(String format, @Nullable Object... arguments) {
    return of(ErrorCode.PLUGIN_FAULT, format, arguments);
  }

  /** Report memory, disk space or a device that does not suffice. */
  public static PecfException resources(String format, @Nullable Object... arguments) {
    return of(ErrorCode.RESOURCES, format, arguments);
  }

  /** Report a defect of PECF itself. */
  public static PecfException internal(String format, @Nullable Object... arguments) {
    return of(ErrorCode.INTERNAL, format, arguments);
  }

  /** Report that the run was cancelled. */
  public static PecfException cancelled() {
    return of(ErrorCode.CANCELLED, "The run was cancelled.");
  }

  /**
   * Name the exception that caused this one.
   *
   * @param cause the cause. Not modified.
   * @return this exception
   */
  public PecfException causedBy(Throwable cause) {
    initCause(cause);
    return this;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** Return the kind of problem. */
  public ErrorCode code() {
    return code;
  }
}
