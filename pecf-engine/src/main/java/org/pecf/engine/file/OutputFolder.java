package org.pecf.engine.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;

/** A folder for results, which is created with the missing folders above it. */
public final class OutputFolder {
  private final Path named;
  private final Path place;

  private OutputFolder(Path named, Path place) {
    this.named = named;
    this.place = place;
  }

  /**
   * Return the folder that a name stands for; links are followed, and nothing is created yet.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if links lead in a circle
   */
  public static OutputFolder at(Path named) {
    try {
      return new OutputFolder(named, Links.follow(named));
    } catch (IOException e) {
      throw refused(
          named, "its links lead nowhere (" + FileProblem.reason(e) + "). Name another folder");
    }
  }

  /** Return where it is, or will be. */
  public Path place() {
    return place;
  }

  /**
   * Check that files can be written in it, before any work is done for them; the check leaves no
   * trace.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if they cannot
   */
  public void checkWithin() {
    if (Files.exists(place)) {
      check(place);
    } else {
      checkBeside();
    }
  }

  /**
   * Check that it can be moved into its place as a whole.
   *
   * @throws PecfException with {@link ErrorCode#BAD_OPTION} if it cannot
   */
  public void checkBeside() {
    Path above = place.getParent();
    while (above != null && !Files.exists(above, LinkOption.NOFOLLOW_LINKS)) {
      above = above.getParent();
    }
    check(above == null ? place : above);
  }

  private void check(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw refused(named, folder + " is not a folder. Name another folder");
    }
    try (HiddenDraft trial = HiddenDraft.beside(folder.resolve("pecf"))) {
      Files.createDirectory(trial.path());
    } catch (IOException e) {
      throw refused(
          named,
          "nothing can be written to "
              + folder
              + " ("
              + FileProblem.reason(e)
              + "). Name another folder");
    }
  }

  private static PecfException refused(Path named, String reason) {
    return PecfException.badOption("Cannot write to %s: %s.", named, reason);
  }
}
