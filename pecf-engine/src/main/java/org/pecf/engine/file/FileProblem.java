package org.pecf.engine.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The reasons why files cannot be read or written, in words. */
public final class FileProblem {
  private FileProblem() {}

  /** Return the reason as it stands in parentheses in a message that names the file itself. */
  public static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof NoSuchFileException missing) {
      return "there is no " + missing.getFile();
    }
    if (cause instanceof FileAlreadyExistsException
        || cause instanceof DirectoryNotEmptyException) {
      return ((FileSystemException) cause).getFile() + " exists";
    }
    if (cause instanceof FileSystemLoopException) {
      return "links lead in a circle";
    }
    if (cause instanceof FileSystemException known && known.getReason() != null) {
      return lowerCase(known.getReason());
    }
    return cause.getMessage() == null ? cause.toString() : lowerCase(cause.getMessage());
  }

  /** Return why a file cannot be read as text, in words that do without its name. */
  public static String unreadable(Path file, IOException cause) {
    if (cause instanceof CharacterCodingException) {
      return "it is not text in UTF-8";
    }
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    if (!Files.exists(file)) {
      return "there is no such file";
    }
    return Files.isReadable(file) ? reason(cause) : "you do not have the right to read it";
  }

  private static String lowerCase(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
