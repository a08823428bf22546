package org.pecf.cli.report;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.engine.effort.SettingsChosen;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.run.Refit;
import org.pecf.engine.run.TrainingResult;
import org.pecf.study.report.TrainingReport;

/**
 * What a training prints for people.
 *
 * @param given the options that it was given
 * @param refit the parts that the stored model is to be trained on again, if it is
 */
public record TrainingPrinter(Console console, RequestOptions given, Optional<Refit> refit) {
  /** Print the rounds, the metrics, the comparison and the settings chosen. */
  public void printTables(TrainingResult result) {
    PrintStream out = console.out();
    if (result.rounds().size() > 1) {
      Tables.rounds(result.rounds(), result.weights(), console.page()).forEach(out::println);
      out.println();
    }
    if (result.complete() && !result.reports().isEmpty()) {
      console.print(Tables.reports(result.reports(), console.page()));
      Tables.protocol(result.request().split(), result.request().evaluation())
          .forEach(out::println);
      if (result.refitted().isPresent()) {
        out.println("measured before the refit, on " + result.metricsOf());
      }
      out.println();
      result
          .refitted()
          .filter(again -> !again.reports().isEmpty())
          .ifPresent(
              again -> {
                out.println("the stored model, trained on " + Refit.TRAINING_AND_VALIDATION + ":");
                console.print(Tables.reports(again.reports(), console.page()));
                out.println();
              });
    }
    result
        .comparison()
        .ifPresent(
            beside -> {
              console.print(Tables.comparison(beside));
              out.println();
            });
    result.chosen().ifPresent(chosen -> print(chosen, result));
  }

  /** Print why settings were chosen, and the options that repeat the run without a search. */
  private void print(SettingsChosen chosen, TrainingResult result) {
    PrintStream out = console.out();
    out.println("settings chosen on the validation part (--effort " + chosen.effort() + "):");
    int columns = console.page().columns();
    chosen
        .reasons()
        .forEach(
            reason ->
                TextTable.broken(reason, columns - 2).forEach(line -> out.println("  " + line)));
    Map<String, String> repeated = new LinkedHashMap<>(given.with(chosen.options()).given());
    if (repeated.remove("patience") != null && result.complete()) {
      repeated.put("rounds", Integer.toString(result.ensemble().size() - 1));
    }
    if (!repeated.containsKey("patience") && !result.request().ensemble().weights().fitted()) {
      repeated.remove("select");
    }
    CommandText.lines(
            "the same model without the search: "
                + CommandText.of("pecf-run", repeated)
                + refit.map(TrainingPrinter::option).orElse(""),
            columns)
        .forEach(out::println);
    out.println();
  }

  private static String option(Refit parts) {
    return parts == Refit.ALL ? " --refit" : " --final " + parts;
  }

  /** Print the outcome in one line. */
  public void printEnd(TrainingResult result, Optional<Path> place, double seconds) {
    Ensemble ensemble = result.refitted().orElse(result).ensemble();
    console
        .out()
        .printf(
            "%s%d %s%s, %s%s%n",
            result.complete() ? "" : "interrupted; ",
            ensemble.size(),
            ensemble.size() == 1 ? "member" : "members",
            trained(result),
            Figures.seconds(seconds),
            place.map(folder -> "; model in " + folder).orElse(""));
    if (!result.complete() && place.isPresent()) {
      console.out().println("the same command with --resume goes on from here");
    }
  }

  /** Return a remark on how the members were trained, if there is one. */
  private String trained(TrainingResult result) {
    if (result.refitted().isPresent()) {
      TrainingResult again = result.refitted().get();
      String count = Figures.count(again.split().training().count());
      return again.request().split().holdsOut()
          ? ", trained on " + count + " positives of " + Refit.TRAINING_AND_VALIDATION
          : ", trained on all " + count + " positives";
    }
    return result.complete() && refit.isPresent() ? ", as measured: the refit was interrupted" : "";
  }

  /** Name what to look at and the command to try next, beside the results. */
  public void suggestNext(Optional<Path> place, Optional<String> effort) {
    PrintStream err = console.err();
    if (place.isPresent()) {
      Path report = place.get().resolve(TrainingReport.NAME);
      if (Files.exists(report)) {
        err.println("report: " + report);
      }
      err.println(
          "next: " + CommandText.of("pecf-run serve", place.get().toString()) + " shows its lists");
    } else {
      Map<String, String> keeping = new LinkedHashMap<>(given.given());
      effort.ifPresent(text -> keeping.put("effort", text));
      keeping.put("out", "model");
      err.println(
          "next: "
              + CommandText.of("pecf-run", keeping)
              + " keeps the model; then pecf-run serve model shows its lists");
    }
    err.flush();
  }
}
