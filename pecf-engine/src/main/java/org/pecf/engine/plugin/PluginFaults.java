package org.pecf.engine.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/** The explanations of failures of plugins, for people who did not write them. */
final class PluginFaults {
  private static final Pattern CLASS_FILE_VERSION =
      Pattern.compile("(?:class file version|major\\.minor version) (\\d+)");
  private static final int CLASS_FILE_VERSION_OF_JAVA_0 = 44;
  private static final String FETCH_AGAIN = "Download or build it again";

  private PluginFaults() {}

  /** Explain why a file or folder cannot be read. */
  static Diagnostic unreadable(Path path, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return Files.isSymbolicLink(path)
          ? Diagnostic.error(
              path + " is a link to a file that does not exist", "Fix or remove the link")
          : Diagnostic.error("There is no %s".formatted(path), "Name an existing plugins folder");
    }
    if (cause instanceof AccessDeniedException) {
      return Diagnostic.error(
          path + " may not be read", "Give this user the right to read it, for example by chmod");
    }
    return Diagnostic.error(
        "%s cannot be read (%s)".formatted(path, cause), "Check the link or the disk");
  }

  /** Explain why no module could be made of a jar. */
  static Diagnostic badJar(Path jar, Throwable problem) {
    if (!Files.isReadable(jar)) {
      return unreadable(
          jar,
          Files.exists(jar)
              ? new AccessDeniedException(jar.toString())
              : new NoSuchFileException(jar.toString()));
    }
    Optional<Diagnostic> newer = newerJava(jar.toString(), problem);
    if (newer.isPresent()) {
      return newer.get();
    }
    if (causes(problem).stream().anyMatch(ZipException.class::isInstance)) {
      return startsLikeZip(jar)
          ? Diagnostic.error(jar + " is damaged or cut short", FETCH_AGAIN)
          : Diagnostic.error(jar + " is named like a jar but is not one", FETCH_AGAIN);
    }
    String words = words(problem);
    if (words.contains("Invalid module name")) {
      return Diagnostic.error(
          "%s has no module-info, and its file name yields no module name (%s)"
              .formatted(jar, words),
          "Rename it so that each part between dots and hyphens starts with a letter, or set"
              + " Automatic-Module-Name in its manifest");
    }
    return Diagnostic.error(
        "%s does not describe a module: %s".formatted(jar, words), "Tell the plugin's author");
  }

  /** Explain why the modules of a plugin do not go together. */
  static Diagnostic badLayer(String location, Throwable problem) {
    return newerJava(location, problem)
        .orElseGet(
            () ->
                Diagnostic.error(
                    "The modules of %s do not fit together: %s".formatted(location, words(problem)),
                    "If the package belongs to PECF or Arrow, the plugin must be built without"
                        + " its own copy of them (Maven scope 'provided')"));
  }

  /** Explain why a provider cannot be used. */
  static Diagnostic badProvider(String what, String location, Throwable problem) {
    Optional<Diagnostic> newer = newerJava(what + " of " + location, problem);
    if (newer.isPresent()) {
      return newer.get();
    }
    String message = "%s of %s cannot be used: %s".formatted(what, location, words(problem));
    if (causes(problem).stream().anyMatch(SecurityException.class::isInstance)) {
      return Diagnostic.error(
          message,
          "It was changed after it was signed: do not use it, and get it again from its author");
    }
    return Diagnostic.error(message, otherVersion(problem).orElse("Tell the plugin's author"));
  }

  /** Return the remedy for a plugin that was compiled against another version, if it was. */
  static Optional<String> otherVersion(Throwable problem) {
    List<Throwable> linking =
        causes(problem).stream().filter(LinkageError.class::isInstance).toList();
    // Classes are written with slashes where they are missing, and with dots where their methods
    // are.
    if (linking.stream()
        .map(error -> Objects.toString(error.getMessage()).replace('.', '/'))
        .anyMatch(words -> words.contains("org/pecf/api/"))) {
      return Optional.of(
          "It was compiled against another version of pecf-api: get the plugin for this version of"
              + " PECF");
    }
    return linking.stream()
        .filter(IncompatibleClassChangeError.class::isInstance)
        .findFirst()
        .map(
            error ->
                "It was compiled against another version of pecf-api or of a library: get the"
                    + " plugin for this version of PECF, or tell its author");
  }

  private static Optional<Diagnostic> newerJava(String what, Throwable problem) {
    return causes(problem).stream()
        .map(cause -> CLASS_FILE_VERSION.matcher(Objects.toString(cause.getMessage())))
        .filter(Matcher::find)
        .findFirst()
        .map(
            matcher ->
                Diagnostic.error(
                    "%s was compiled for Java %s, but this is Java %s"
                        .formatted(
                            what,
                            Integer.parseInt(matcher.group(1)) - CLASS_FILE_VERSION_OF_JAVA_0,
                            Runtime.version().feature()),
                    "Run PECF with that Java, or get the plugin for this one"));
  }

  private static boolean startsLikeZip(Path jar) {
    try (InputStream stream = Files.newInputStream(jar)) {
      return stream.read() == 'P' && stream.read() == 'K';
    } catch (IOException e) {
      return false;
    }
  }

  /** Return the messages of a problem and its causes, each once. */
  private static String words(Throwable problem) {
    List<String> words = new ArrayList<>();
    for (Throwable cause : causes(problem)) {
      String message = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
      if (words.stream().noneMatch(earlier -> earlier.contains(message))) {
        words.add(message);
      }
    }
    return String.join(": ", words);
  }

  private static List<Throwable> causes(Throwable problem) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable cause = problem;
        cause != null && !causes.contains(cause);
        cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }
}
