package org.pecf.cli.command;

import org.jspecify.annotations.Nullable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.OptionValues;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.RecommendationPrinter;
import org.pecf.cli.run.Interruption;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.run.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that recommends items to users of a stored model. */
@CommandLine.Command(
    name = "recommend",
    abbreviateSynopsis = true,
    description = "Recommend items to users of a stored model.")
public final class RecommendCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(
      names = "--user",
      paramLabel = "ID",
      description = "A user, by the id in the data; repeatable.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--users", paramLabel = "FILE", description = "A file with one user id per line.")
  private @Nullable Path file;

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "The number of items per user (default: 10).")
  private int top = 10;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description = "The form of the output: table, csv or json (default: table).")
  private String form = "table";

  @Option(
      names = "--include-known",
      description = "Also recommend items that the data knows of the user, liked or rated.")
  private boolean includeKnown;

  @Mixin private WorkOptions options = new WorkOptions();

  /** Create the command. */
  public RecommendCommand(Console console) {
    super(console);
  }

  @Override
  public Optional<SettingOptions> settings() {
    return Optional.of(options.settings());
  }

  @Override
  public int run() {
    RecommendationPrinter.Form printed =
        OptionValues.choice("--output-format", form, RecommendationPrinter.Form.values());
    if (top < 1) {
      throw PecfException.badOption("--top must be at least 1, not %d.", top);
    }
    RecommendationRequest request = new RecommendationRequest(top, includeKnown);
    List<String> users = users();
    PluginCatalog catalog = catalog();
    try (Interruption interruption = Interruption.heed(() -> {}, () -> {});
        Recommender recommender =
            Recommender.open(
                model,
                new Workspace(
                    catalog, options.compute(catalog), RunListener.none(), interruption))) {
      try (RecommendationPrinter printer =
          RecommendationPrinter.of(
              printed, recommender.users().kind(), recommender.items().kind(), console().out())) {
        recommender.recommend(users, request, printer);
        return 0;
      } catch (PecfException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          console().error("Interrupted; the lists of some users are missing.");
          return interruption.exitCode();
        }
        throw e;
      }
    }
  }

  private List<String> users() {
    List<String> users = new ArrayList<>(ids);
    if (file != null) {
      try {
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(users::add);
      } catch (IOException e) {
        throw PecfException.badData(
                "The users cannot be read from %s (%s). Name a file with one user id per line with"
                    + " --users.",
                file, Files.exists(file) ? e.toString() : "there is no such file")
            .causedBy(e);
      }
    }
    if (users.isEmpty()) {
      throw PecfException.badOption(
          "No user was named. Name users with --user ID or with --users FILE.");
    }
    return users;
  }
}
