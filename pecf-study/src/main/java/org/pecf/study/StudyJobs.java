package org.pecf.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.pecf.api.PecfException;
import org.pecf.engine.file.FileLocking;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.run.PreparedData;

/**
 * The finished trainings of a study in a folder, one file each, from which the same study goes on.
 */
public final class StudyJobs {
  private static final String JOBS = "jobs";

  private final Path folder;
  private final PreparedData data;

  /**
   * Find the jobs of a folder.
   *
   * @param data the data of the study, borrowed
   */
  StudyJobs(Path folder, PreparedData data) {
    this.folder = folder;
    this.data = data;
  }

  /** Delete the jobs that earlier studies left in a folder. */
  public static void forget(Path folder) {
    Path jobs = folder.resolve(JOBS);
    if (Files.isDirectory(jobs)) {
      FileLocking lock = StudyFiles.lock(folder);
      try (Stream<Path> files = Files.list(jobs)) {
        for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
          Files.delete(file);
        }
      } catch (IOException e) {
        throw StudyFiles.cannotWrite(jobs, e);
      } finally {
        lock.close();
      }
    }
  }

  /**
   * Do some work while the folder, which is created if it does not exist, is locked.
   *
   * @throws PecfException if another study is at work on it
   */
  <T> T alone(Supplier<T> work) {
    FileLocking lock = StudyFiles.lock(folder);
    try {
      return work.get();
    } finally {
      lock.close();
    }
  }

  /** Return the fingerprint of the data. */
  String fingerprint() {
    return data.dataset().fingerprint();
  }

  /**
   * Find a finished job.
   *
   * @throws PecfException if there is one of that name, but of another request or other data
   */
  Optional<JobResult> find(String key, TrainingRequest request) {
    Optional<JobResult> found = StudyFiles.read(file(key), JobResult.class);
    found.ifPresent(
        stored -> {
          require(key, "data", stored.data(), fingerprint());
          if (!RequestIdentity.same(stored.request(), request, data.workspace().catalog())) {
            require(key, "request", stored.request(), RequestIdentity.text(request));
          }
        });
    return found;
  }

  /** Refuse a job that belongs to another study. */
  void require(String key, String name, String stored, String expected) {
    if (!stored.equals(expected)) {
      throw PecfException.badOption(
          "%s is of another study: its %s is %s, not %s. Name another folder, or overwrite this"
              + " one.",
          file(key), name, stored, expected);
    }
  }

  /** Keep a finished job. */
  void keep(String key, JobResult job) {
    StudyFiles.writeJson(file(key), job);
  }

  private Path file(String key) {
    return folder.resolve(JOBS).resolve(key + ".json");
  }
}
