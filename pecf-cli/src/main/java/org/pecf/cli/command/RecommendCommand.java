package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Display;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.Progress;
import org.pecf.cli.option.IdList;
import org.pecf.cli.option.NewUserOptions;
import org.pecf.cli.option.OptionValues;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.cli.run.Interruption;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.NewUser;
import org.pecf.engine.recommend.NewUserLists;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.resource.Workspace;
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
  private static final int NAMED = 3;

  /** Ids that may stand in a column of whole numbers. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,17}");

  /** The treatment of users of whom the model knows nothing. */
  private enum UnknownUsers {
    /** They get the items that most users like. */
    POPULAR,
    /** They get no list. */
    SKIP,
    /** They end the command before any list is made. */
    ERROR
  }

  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(
      names = "--user",
      paramLabel = "ID,...",
      description = "Users, by the ids in the data; repeatable.")
  private List<String> ids = new ArrayList<>();

  @Option(
      names = "--users",
      paramLabel = "FILE",
      description = "A file with one user id per line, or - for standard input.")
  private @Nullable Path file;

  @Option(names = "--all-users", description = "All users of the model, in the order of ids.")
  private boolean allUsers;

  @Option(
      names = "--unknown-users",
      paramLabel = "CHOICE",
      description =
          "What to do about users of whom the model knows nothing: popular (give them what most"
              + " users like), skip or error (default: popular, and say how many).")
  private @Nullable String unknownUsers;

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "The number of items per user (default: 10).")
  private int top = 10;

  @Option(
      names = "--only",
      paramLabel = "FILE",
      description = "Recommend only the items in this file, one id per line.")
  private @Nullable Path only;

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description = "Recommend none of the items in this file, one id per line.")
  private @Nullable Path exclude;

  @Option(
      names = "--include-known",
      description = "Also recommend items that the data knows of the user, liked or rated.")
  private boolean includeKnown;

  @Option(
      names = "--titles",
      paramLabel = "FILE",
      description =
          "Show the titles of items from a text file: an item per line, its id, then its title.")
  private @Nullable Path titles;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description =
          "The form of the output: table, csv, json, jsonl (a line per user), arrow or parquet"
              + " (default: by the name of the file, else table).")
  private @Nullable String form;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write to this file, which appears when it is complete.")
  private @Nullable Path out;

  @Mixin private NewUserOptions newUsers = new NewUserOptions();

  @Mixin private WorkOptions options = WorkOptions.ofRanking();

  /** Create the command. */
  public RecommendCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    if (top < 1) {
      throw PecfException.badOption("--top must be at least 1, not %d.", top);
    }
    List<String> listed = usersOfFile();
    RecommendationRequest request = RecommendationRequest.top(top);
    request = includeKnown ? request.withKnown() : request;
    request = only == null ? request : request.only(IdList.read("--only", only));
    request = exclude == null ? request : request.without(IdList.read("--exclude", exclude));
    request = treatment() == UnknownUsers.POPULAR ? request : request.asStrict();
    PluginCatalog catalog = catalog();
    RecommendationOutput output =
        RecommendationOutput.of(Optional.ofNullable(form), Optional.ofNullable(out), catalog);
    int interrupted = 0;
    try (Display display = Display.on(console(), output.progress(common().progress()));
        Interruption interruption =
            Interruption.listen(() -> {}, display, console(), this::loadedCatalog)) {
      display.show(Progress.activity("opening the model"));
      Workspace workspace =
          new Workspace(catalog, compute(catalog), RunListener.none(), interruption);
      try (Recommender recommender = Recommender.open(model, workspace)) {
        warnIfIncomplete(model, recommender.description());
        if (newUsers.given()) {
          recommendToNew(recommender, request, catalog, output, workspace, display);
        } else {
          recommend(recommender, request, listed, output, workspace.context(), display);
        }
      } catch (PecfException e) {
        if (e.code() != ErrorCode.CANCELLED) {
          throw e;
        }
        interrupted = interruption.exitCode();
      }
    }
    if (interrupted != 0) {
      console().error(output.interrupted());
    }
    return interrupted;
  }

  private ComputeRequest compute(PluginCatalog catalog) {
    // Settings may be of the format of a history.
    return newUsers
        .history()
        .map(place -> work(catalog, DataRequest.of(place)).compute())
        .orElseGet(() -> options.compute(catalog));
  }

  private WorkOptions.Work work(PluginCatalog catalog, DataRequest history) {
    return options.work(catalog, history.withFormat(newUsers.format()));
  }

  private void recommendToNew(
      Recommender recommender,
      RecommendationRequest request,
      PluginCatalog catalog,
      RecommendationOutput output,
      Workspace workspace,
      Display display) {
    checkItems(recommender.items(), request);
    List<NewUser> users = List.of(new NewUser("new", newUsers.items()));
    IdKind kind = IdKind.TEXT;
    if (newUsers.history().isPresent()) {
      DataRequest history =
          DataRequest.of(newUsers.history().get())
              .withPositive(newUsers.positive().orElseGet(recommender::positives));
      try (Dataset dataset = workspace.load(work(catalog, history).data())) {
        users = NewUser.of(dataset);
        kind = dataset.users().kind();
      }
    }
    NewUserLists made = recommender.recommendFor(users, request, newUsers.unknown());
    boolean popular = treatment() == UnknownUsers.POPULAR;
    if (!popular
        && made.usersWithoutItems() >= (treatment() == UnknownUsers.ERROR ? 1 : made.users())) {
      throw PecfException.badData(
          "The model has none of the items that %s new users like. Name items of the data that it"
              + " was trained on, or take --unknown-users popular.",
          Figures.count(made.usersWithoutItems()));
    }
    newUsers.history().ifPresent(place -> warn(made.unknownItems(), Path.of(place)));
    if (made.usersWithoutItems() > 0) {
      warn(
          "The model has no item of %s new users, who get %s.",
          Figures.count(made.usersWithoutItems()), popular ? "popular items" : "no lists");
    }
    output.write(
        made.lists(),
        made.users(),
        false,
        columns(kind, recommender, sources(made.usersWithoutItems(), output)),
        console(),
        workspace.context(),
        display);
  }

  /** Return whether sources are shown: to programs where they may differ, to people if they do. */
  private boolean sources(int unknown, RecommendationOutput output) {
    return treatment() == UnknownUsers.POPULAR
        && newUsers.items().isEmpty()
        && (unknown > 0 || !allUsers && !output.forPeople());
  }

  private RecommendationTable.Columns columns(
      IdKind users, Recommender recommender, boolean sources) {
    return new RecommendationTable.Columns(
        "user",
        users,
        "item",
        recommender.items().kind(),
        "score",
        Optional.ofNullable(titles).map(place -> ItemTitles.read(place, recommender.items())::of),
        sources);
  }

  private void recommend(
      Recommender recommender,
      RecommendationRequest request,
      List<String> listed,
      RecommendationOutput output,
      RunContext context,
      Display display) {
    checkItems(recommender.items(), request);
    List<String> named = new ArrayList<>(IdList.named(ids, recommender.users()));
    named.addAll(listed);
    List<String> users = named;
    Set<String> unknown = new LinkedHashSet<>(named);
    unknown.removeIf(id -> recommender.users().search(id).isPresent());
    if (treatment() == UnknownUsers.SKIP) {
      users = named.stream().filter(id -> !unknown.contains(id)).toList();
    }
    int count = allUsers ? recommender.users().size() : users.size();
    if (count == 0) {
      throw PecfException.badData(
          "The model does not have %s. Name users of the data that it was trained on, or take"
              + " --unknown-users popular.",
          some(unknown));
    }
    Stream<UserRecommendations> lists =
        allUsers ? recommender.recommendToAll(request) : recommender.recommend(users, request);
    if (!unknown.isEmpty()) {
      warn(
          "The model does not have %s, who %s %s.",
          some(unknown),
          unknown.size() == 1 ? "gets" : "get",
          treatment() == UnknownUsers.POPULAR
              ? "popular items"
              : unknown.size() == 1 ? "no list" : "no lists");
    }
    IdKind kind =
        unknown.stream().allMatch(id -> WHOLE_NUMBER.matcher(id).matches())
            ? recommender.users().kind()
            : IdKind.TEXT;
    output.write(
        lists,
        count,
        allUsers,
        columns(
            kind, recommender, sources(unknown.size() + recommender.usersWithoutItems(), output)),
        console(),
        context,
        display);
  }

  /** Return the users in the file, if there is one, having checked that somebody is named. */
  private List<String> usersOfFile() {
    if (unknownUsers != null && allUsers) {
      throw PecfException.badOption(
          "--unknown-users has no effect with --all-users. Leave it out.");
    }
    if (newUsers.given()) {
      if (allUsers || file != null || !ids.isEmpty()) {
        throw PecfException.badOption(
            "--items and --history stand for new users. Leave out --user, --users and"
                + " --all-users.");
      }
      return List.of();
    }
    if (allUsers) {
      if (file != null || !ids.isEmpty()) {
        throw PecfException.badOption(
            "--all-users stands for every user. Leave out --user and --users.");
      }
      return List.of();
    }
    List<String> users = file == null ? List.of() : IdList.read("--users", file);
    if (users.isEmpty() && ids.isEmpty()) {
      throw file == null
          ? PecfException.badOption(
              "No user was named. Name users with --user ID or --users FILE, or take --all-users.")
          : PecfException.badData("%s names no user. Write one id per line.", file);
    }
    return users;
  }

  private UnknownUsers treatment() {
    return unknownUsers == null
        ? UnknownUsers.POPULAR
        : OptionValues.choice("--unknown-users", unknownUsers, UnknownUsers.values());
  }

  private static String some(Set<String> unknown) {
    List<String> first = unknown.stream().limit(NAMED).toList();
    String names = String.join(", ", first);
    return unknown.size() == 1
        ? "the user " + names
        : Figures.count(unknown.size()) + " users, such as " + names;
  }

  /** Refuse lists of items that leave nothing to recommend, and say which items are unknown. */
  private void checkItems(IdMap items, RecommendationRequest request) {
    request
        .only()
        .ifPresent(
            ids -> {
              long unknown = ids.stream().filter(id -> items.search(id).isEmpty()).count();
              if (unknown == ids.size()) {
                throw PecfException.badData(
                    "The model has none of the items in %s. Write ids of its data, one per line.",
                    only);
              }
              warn(unknown, only);
            });
    warn(request.excluded().stream().filter(id -> items.search(id).isEmpty()).count(), exclude);
  }

  private void warn(long unknown, @Nullable Path source) {
    if (unknown > 0) {
      warn(
          "The model does not have %s %s %s.",
          Figures.count(unknown), unknown == 1 ? "item in" : "of the items in", source);
    }
  }

  private void warn(String format, @Nullable Object... words) {
    console().warning(format.formatted(words));
  }
}
