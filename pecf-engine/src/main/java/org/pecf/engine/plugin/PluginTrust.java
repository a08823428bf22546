package org.pecf.engine.plugin;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.support.PrivateFolder;
import org.pecf.engine.archive.Digest;
import org.pecf.engine.file.FileProblem;

/**
 * The plugins that may be loaded.
 *
 * <p>Trust is a list of SHA-256 digests of plugins. It is checked before any class of a plugin is
 * loaded, on copies that nobody can replace between the check and the loading. This is
 * verification, not a sandbox: a plugin that was loaded may do whatever the program may.
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
   * @throws PecfException with {@link ErrorCode#BAD_DATA} for a line that is neither, for a list of
   *     nothing and for a link to nothing
   */
  public static PluginTrust read(Path list) {
    try {
      return parse(list, Files.readAllLines(list));
    } catch (NoSuchFileException e) {
      if (Files.isSymbolicLink(list)) {
        throw PecfException.badData(
                "%s, the list of trusted plugins, is a link to a file that does not exist. Fix the"
                    + " link, or remove it to trust every plugin.",
                list)
            .causedBy(e);
      }
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
    if (!strict && trusted.isEmpty()) {
      throw PecfException.badData(
          "%s lists no plugin. Write the SHA-256 digests of plugins (pecf-run plugins verify prints"
              + " them), write 'strict' to load none, or remove the file to trust every plugin.",
          list);
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

  /**
   * Return the files to load a listed plugin from: copies that hold what was digested and that
   * nobody else can replace, in a folder of this user's. Empty if the plugin is not listed.
   *
   * @param jars the plugin's jars in order of name. Not modified.
   * @throws IOException if one of them cannot be read or copied
   */
  public Optional<List<Path>> copies(List<Path> jars) throws IOException {
    if (!lists(jars)) {
      return Optional.empty();
    }
    PrivateFolder folder = PrivateFolder.keep("plugins");
    List<Path> copies = new ArrayList<>();
    for (Path jar : jars) {
      copies.add(copy(jar, folder));
    }
    // The jars may have been replaced meanwhile, so it is the copies that must be listed.
    return lists(copies) ? Optional.of(List.copyOf(copies)) : Optional.empty();
  }

  /** Copy a jar to a place that its content names, unless it is there already. */
  private static Path copy(Path jar, PrivateFolder folder) throws IOException {
    // A module without a descriptor is named by its file.
    Path name = jar.getFileName();
    String known = Digest.of(jar);
    Path earlier = folder.path().resolve(known).resolve(name);
    if (Files.exists(earlier) && Digest.of(earlier).equals(known)) {
      return earlier;
    }
    Path findings = Files.createTempFile(folder.path(), "findings-", ".jar");
    try {
      Files.copy(jar, findings, StandardCopyOption.REPLACE_EXISTING);
      Path place = Files.createDirectories(folder.path().resolve(Digest.of(findings)));
      Path copy = place.resolve(name);
      Files.move(
          findings, copy, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      if (!folder.kept()) {
        List.of(folder.path(), place, copy).forEach(path -> path.toFile().deleteOnExit());
      }
      return copy;
    } finally {
      Files.deleteIfExists(findings);
    }
  }

  /**
   * Return a plugin as it may be loaded: from copies if it is listed. Empty if it may not be; its
   * findings receives the diagnostics.
   */
  Optional<PluginFolders.Candidate> admit(PluginFolders.Candidate candidate) {
    if (!active()) {
      return Optional.of(candidate);
    }
    PluginFindings findings = candidate.findings();
    try {
      Optional<PluginFolders.Candidate> listed = copies(candidate.jars()).map(candidate::readFrom);
      if (listed.isPresent()) {
        return listed;
      }
      String remedy =
          "If you trust it, add this line to %s: %s"
              .formatted(
                  list.map(Path::toString).orElse("the list of trusted plugins"),
                  Digest.of(candidate.jars()));
      if (strict) {
        findings.distrust(
            Diagnostic.error(
                findings.location() + " was left out because it is not trusted", remedy));
      } else {
        findings.add(
            Diagnostic.warning(findings.location() + " is not among the trusted plugins", remedy));
      }
    } catch (IOException e) {
      if (strict) {
        findings.distrust(
            Diagnostic.error(
                "%s was left out because it cannot be digested and copied (%s)"
                    .formatted(findings.location(), e),
                "Download or build it again, give this user the right to read it, or make room in"
                    + " ~/.pecf"));
      }
    }
    return strict ? Optional.empty() : Optional.of(candidate);
  }
}
