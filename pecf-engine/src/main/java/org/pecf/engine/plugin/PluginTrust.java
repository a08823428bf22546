package org.pecf.engine.plugin;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.engine.archive.Digest;
import org.pecf.engine.file.FileProblem;

/**
 * The plugins that may be loaded.
 *
 * <p>Trust is a list of SHA-256 digests of plugins. It is checked before any class of a plugin is
 * loaded. This is verification, not a sandbox: a plugin that was loaded may do whatever the program
 * may.
 */
public final class PluginTrust {
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final PluginTrust IN_EVERYTHING =
      new PluginTrust(Optional.empty(), false, Set.of());

  private final Optional<Path> list;
  private final boolean strict;
  private final Set<String> trusted;

  private PluginTrust(Optional<Path> list, boolean strict, Set<String> trusted) {
    this.list = list;
    this.strict = strict;
    this.trusted = trusted;
  }

  /** Trust every plugin. */
  public static PluginTrust inEverything() {
    return IN_EVERYTHING;
  }

  /**
   * Read a list of trusted digests: one per line, in either case, with or without colons; comments
   * begin with {@code #}. If the first line with content is {@code strict}, no other plugin is
   * loaded; otherwise plugins that are not listed are loaded with a warning.
   *
   * @param list the file; if there is none, every plugin is trusted
   * @throws PecfException with {@link ErrorCode#BAD_DATA} for a line that is neither
   */
  public static PluginTrust read(Path list) {
    try {
      return parse(list, Files.readAllLines(list));
    } catch (NoSuchFileException e) {
      return new PluginTrust(Optional.of(list), false, Set.of());
    } catch (MalformedInputException e) {
      throw PecfException.badData("%s is not a text file. It must hold one digest per line.", list)
          .causedBy(e);
    } catch (IOException e) {
      throw PecfException.badData(
              "%s, the list of trusted plugins, cannot be read (%s). Give this user the right to"
                  + " read it.",
              list, FileProblem.reason(e))
          .causedBy(e);
    }
  }

  private static PluginTrust parse(Path list, List<String> lines) {
    boolean strict = false;
    Set<String> trusted = new HashSet<>();
    for (int number = 1; number <= lines.size(); number++) {
      String word = lines.get(number - 1).replaceFirst("#.*", "").strip().toLowerCase(Locale.ROOT);
      String digits = word.replace(":", "");
      if (word.equals("strict") && trusted.isEmpty() && !strict) {
        strict = true;
      } else if (SHA_256.matcher(digits).matches()) {
        trusted.add(digits);
      } else if (!word.isEmpty()) {
        throw PecfException.badData(
            "%s, line %s: '%s' is not a SHA-256 digest. Write 64 hexadecimal digits (pecf-run"
                + " plugins verify prints them), or 'strict' before all others.",
            list, number, word);
      }
    }
    return new PluginTrust(Optional.of(list), strict, Set.copyOf(trusted));
  }

  /** Return the same trust, but strict. */
  public PluginTrust onlyInListed() {
    return new PluginTrust(list, true, trusted);
  }

  /** Return whether only listed plugins are loaded. */
  public boolean strict() {
    return strict;
  }

  /** Return whether plugins are checked at all: some are listed, or only listed ones are loaded. */
  public boolean active() {
    return strict || !trusted.isEmpty();
  }

  /** Return the file of the list, whether it exists or not. */
  public Optional<Path> list() {
    return list;
  }

  /**
   * Return whether a plugin is listed: by its own digest, or every jar of it by its own.
   *
   * @param jars the plugin's jars in order of name. Not modified.
   * @throws IOException if one of them cannot be read
   */
  public boolean lists(List<Path> jars) throws IOException {
    if (trusted.isEmpty()) {
      return false;
    }
    if (trusted.contains(Digest.of(jars))) {
      return true;
    }
    for (Path jar : jars) {
      if (!trusted.contains(Digest.of(jar))) {
        return false;
      }
    }
    return true;
  }

  /** Return whether a plugin may be loaded; its draft receives the diagnostics. */
  boolean admits(PluginFolders.Candidate candidate) {
    if (!active()) {
      return true;
    }
    PluginDraft draft = candidate.draft();
    try {
      if (lists(candidate.jars())) {
        return true;
      }
      String remedy =
          "If you trust it, add this line to %s: %s"
              .formatted(
                  list.map(Path::toString).orElse("the list of trusted plugins"),
                  Digest.of(candidate.jars()));
      if (strict) {
        draft.distrust(
            Diagnostic.error(draft.location() + " was left out because it is not trusted", remedy));
      } else {
        draft.add(
            Diagnostic.warning(draft.location() + " is not among the trusted plugins", remedy));
      }
    } catch (IOException e) {
      if (strict) {
        draft.distrust(
            Diagnostic.error(
                "%s was left out because its digest cannot be computed (%s)"
                    .formatted(draft.location(), e),
                "Download or build it again, or give this user the right to read it"));
      }
    }
    return !strict;
  }
}
