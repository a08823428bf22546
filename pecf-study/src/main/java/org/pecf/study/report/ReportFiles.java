package org.pecf.study.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.run.TrainingResult;
import org.pecf.study.page.Page;

/** The files of reports. */
public final class ReportFiles {
  private ReportFiles() {}

  /**
   * Write the page about a training and the metrics of its users beside its model.
   *
   * @param folder the folder of the model
   * @param result the training, open
   * @param seconds the duration of each phase
   * @param bytes the memory of the process at the end of each phase
   * @param version the version of the program
   */
  public static void write(
      Path folder,
      TrainingResult result,
      Map<String, Double> seconds,
      Map<String, Long> bytes,
      String version) {
    write(
        folder.resolve(TrainingReport.NAME),
        new TrainingReport(result, seconds, bytes, version).page());
    Optional<EvaluationReport> measured =
        result.reports().values().stream().reduce((earlier, later) -> later);
    try {
      if (measured.isPresent()) {
        UserMetrics.write(
            folder.resolve(UserMetrics.NAME), measured.get(), result.dataset().users());
      }
    } catch (IOException e) {
      throw failed(folder.resolve(UserMetrics.NAME), e);
    }
  }

  /** Write a page to a file, which appears when it is complete. */
  public static void write(Path file, Page page) {
    OutputFile target = OutputFile.at(file);
    try (OutputFile.Draft draft = target.begin()) {
      Files.write(draft.path(), page.html().getBytes(StandardCharsets.UTF_8));
      draft.complete();
    } catch (IOException e) {
      throw target.failed(e);
    }
  }

  /** Create a folder, with those it is in. */
  static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw failed(folder, e);
    }
  }

  private static PecfException failed(Path file, IOException e) {
    return PecfException.resources(
            "Cannot write %s (%s). Check that the disk has room and the folder is writable.",
            file, e)
        .causedBy(e);
  }
}
