package org.pecf.engine.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;

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

  private static String lowerCase(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
