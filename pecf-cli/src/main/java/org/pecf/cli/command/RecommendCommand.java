package org.pecf.cli.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.RankedItems;
import org.pecf.api.compute.RankingRequest;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.option.SettingOptions;
import org.pecf.cli.option.Values;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.Recommendations;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.run.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Recommend items to users of a stored model. */
@CommandLine.Command(
    name = "recommend",
    abbreviateSynopsis = true,
    description = "Recommend items to users of a stored model.")
public final class RecommendCommand extends Command {
  private static final int BLOCK_USERS = 1024;

  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(
      names = "--user",
      paramLabel = "ID",
      arity = "1..*",
      description = "Users, by the ids they have in the data.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--users", paramLabel = "FILE", description = "A file with a user's id a line.")
  private Path file;

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "How many items a user (default: 10).")
  private int top = 10;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description = "How to print them: table, csv or json (default: table).")
  private String form = "table";

  @Option(names = "--include-known", description = "Also recommend what the user had in training.")
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
    Recommendations.Form printed =
        Values.choice("--output-format", form, Recommendations.Form.values());
    if (top < 1) {
      throw PecfException.badOption("--top must be at least 1, not %s", top);
    }
    List<String> wanted = wanted();
    PluginCatalog catalog = catalog();
    WorkOptions.Work work = options.work(catalog, DataRequest.of("builtin:none"));
    try (Workspace workspace = work.workspace(catalog, RunListener.none(), () -> false);
        StoredModel stored = ModelStore.open(model, workspace.allocator());
        ComputeSession session = workspace.open(stored.ensemble().shape())) {
      List<Integer> users = wanted.stream().map(stored.users()::indexOf).toList();
      Map<Integer, Recommendations.Ranked> ranked = rank(stored, session, new TreeSet<>(users));
      new Recommendations(stored.users(), stored.items())
          .print(users.stream().map(ranked::get).toList(), printed, console().out());
      return 0;
    }
  }

  private List<String> wanted() {
    List<String> wanted = new ArrayList<>(ids);
    if (file != null) {
      try {
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(wanted::add);
      } catch (IOException e) {
        throw PecfException.badData("--users: %s cannot be read (%s).", file, e).causedBy(e);
      }
    }
    if (wanted.isEmpty()) {
      throw PecfException.badOption(
          "Please say to whom to recommend, with --user ID or with --users FILE.");
    }
    return wanted;
  }

  /** Rank in blocks of consecutive users. */
  private Map<Integer, Recommendations.Ranked> rank(
      StoredModel stored, ComputeSession session, TreeSet<Integer> users) {
    Map<Integer, Recommendations.Ranked> lists = new HashMap<>();
    Integer first = users.isEmpty() ? null : users.first();
    while (first != null) {
      int count = 1;
      while (count < BLOCK_USERS && users.contains(first + count)) {
        count++;
      }
      rank(stored, session, first, count, lists);
      first = users.higher(first + count - 1);
    }
    return lists;
  }

  private void rank(
      StoredModel stored,
      ComputeSession session,
      int first,
      int count,
      Map<Integer, Recommendations.Ranked> lists) {
    List<SparseCells> excluded = includeKnown ? List.of() : List.of(stored.training());
    int depth = Math.min(top, stored.items().size());
    try (RankedItems ranked =
        session.rank(
            new RankingRequest(
                stored.ensemble().prediction(), first, count, depth, excluded, Optional.empty()))) {
      for (int row = 0; row < count; row++) {
        List<Integer> items = new ArrayList<>();
        List<Float> scores = new ArrayList<>();
        for (int place = 0; place < ranked.count(row); place++) {
          items.add(ranked.item(row, place));
          scores.add(ranked.score(row, place));
        }
        lists.put(first + row, new Recommendations.Ranked(first + row, items, scores));
      }
    }
  }
}
