package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.plugin.Option;
import org.pecf.cli.console.Figures;
import org.pecf.cli.option.IdList;
import org.pecf.cli.option.NewUserOptions;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.RecordOptions.Repeated;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.NewUser;
import org.pecf.engine.recommend.NewUserLists;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.engine.request.ComputeRequest;
import picocli.CommandLine;

/** The command that recommends items to users of a stored model. */
@CommandLine.Command(description = "Recommend items to users of a stored model.")
public final class RecommendCommand extends ListsCommand {
  private static final int NAMED = 3;

  /** Ids that may stand in a column of whole numbers. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,17}");

  /** The treatment of users unknown to the model. */
  private enum UnknownUsers {
    /** They get the items that most users like. */
    POPULAR,
    /** They get no list. */
    SKIP,
    /** They end the command before any list is made. */
    ERROR
  }

  /** The users, the items that they may get, and the lists. */
  private record Options(
      @Option(value = "Users, by the ids in the data; repeatable", key = "user", label = "ID,...")
          Repeated ids,
      @Option(
              value = "A file with one user id per line, or - for standard input",
              key = "users",
              label = "FILE")
          Optional<Path> file,
      @Option(value = "All users of the model, in the order of ids", defaultValue = "false")
          boolean allUsers,
      @Option(
              value =
                  "Whether users of whom the model knows nothing get what most users like, are"
                      + " skipped or are an error",
              label = "CHOICE",
              unset = "popular, and say how many")
          Optional<UnknownUsers> unknownUsers,
      @Option(value = "Recommend only the items in this file, one id per line", label = "FILE")
          Optional<Path> only,
      @Option(value = "Recommend none of the items in this file, one id per line", label = "FILE")
          Optional<Path> exclude,
      @Option(
              value = "Also recommend items that the data knows of the user, liked or rated",
              defaultValue = "false")
          boolean includeKnown,
      ListOptions lists,
      NewUserOptions newUsers) {
    UnknownUsers treatment() {
      return unknownUsers.orElse(UnknownUsers.POPULAR);
    }

    RecommendationRequest request() {
      RecommendationRequest request = RecommendationRequest.top(lists.top());
      request = includeKnown ? request.withKnown() : request;
      request = only.isEmpty() ? request : request.only(IdList.read("--only", only.get()));
      request =
          exclude.isEmpty() ? request : request.without(IdList.read("--exclude", exclude.get()));
      return treatment() == UnknownUsers.POPULAR ? request : request.asStrict();
    }
  }

  private final RecordOptions<Options> options =
      add(MethodHandles.lookup(), Options.class).repeatable("user").repeatable("items", ",");

  /** The users of the file; none if there is no file. */
  private List<String> listed = List.of();

  private RecommendationRequest request = RecommendationRequest.top(1);

  @Override
  ListOptions check() {
    listed = usersOfFile();
    request = options.get().request();
    return options.get().lists();
  }

  @Override
  RecommendationOutput.Lists make(Surroundings surroundings) {
    checkItems(surroundings.recommender().items());
    return options.get().newUsers().given() ? toNew(surroundings) : toKnown(surroundings);
  }

  @Override
  ComputeRequest compute(PluginCatalog catalog) {
    // Settings may belong to the format of a history.
    return options
        .get()
        .newUsers()
        .history()
        .map(place -> work(catalog, DataRequest.of(place)).compute())
        .orElseGet(() -> super.compute(catalog));
  }

  private WorkOptions.Work work(PluginCatalog catalog, DataRequest history) {
    return work().work(catalog, history.withFormat(options.get().newUsers().format()));
  }

  private RecommendationOutput.Lists toNew(Surroundings surroundings) {
    Recommender recommender = surroundings.recommender();
    NewUserOptions described = options.get().newUsers();
    List<NewUser> users = List.of(new NewUser("new", described.liked()));
    IdKind kind = IdKind.TEXT;
    if (described.history().isPresent()) {
      DataRequest history =
          DataRequest.of(described.history().get())
              .withPositive(described.historyPositive().orElseGet(recommender::positives));
      DataRequest data = work(surroundings.catalog(), history).data();
      try (Dataset dataset = surroundings.workspace().load(data)) {
        users = NewUser.of(dataset);
        kind = dataset.users().kind();
      }
    }
    NewUserLists made = recommender.recommendFor(users, request, described.unknown());
    UnknownUsers treatment = options.get().treatment();
    boolean popular = treatment == UnknownUsers.POPULAR;
    if (!popular
        && made.usersWithoutItems() >= (treatment == UnknownUsers.ERROR ? 1 : made.users())) {
      throw PecfException.badData(
          "The model has none of the items that %s new users like. Name items of the data that it"
              + " was trained on, or take --unknown-users popular.",
          Figures.count(made.usersWithoutItems()));
    }
    described.history().ifPresent(place -> warn(made.unknownItems(), Path.of(place)));
    if (made.usersWithoutItems() > 0) {
      warn(
          "The model has no item of %s new users, who get %s.",
          Figures.count(made.usersWithoutItems()), popular ? "popular items" : "no lists");
    }
    return new RecommendationOutput.Lists(
        made.lists(), made.users(), false, columns(kind, made.usersWithoutItems(), surroundings));
  }

  /**
   * Return the columns of lists. Sources of lists are shown to programs if they may differ, to
   * people if they do.
   *
   * @param users the kind of the ids of users
   * @param unknown how many users are unknown to the model
   */
  private RecommendationTable.Columns columns(
      IdKind users, int unknown, Surroundings surroundings) {
    Options given = options.get();
    boolean sources =
        given.treatment() == UnknownUsers.POPULAR
            && given.newUsers().liked().isEmpty()
            && (unknown > 0 || !given.allUsers() && !surroundings.output().forPeople());
    Recommender recommender = surroundings.recommender();
    return new RecommendationTable.Columns(
        "user",
        users,
        "item",
        recommender.items().kind(),
        "score",
        given.lists().titles(recommender),
        sources);
  }

  private RecommendationOutput.Lists toKnown(Surroundings surroundings) {
    Recommender recommender = surroundings.recommender();
    boolean all = options.get().allUsers();
    UnknownUsers treatment = options.get().treatment();
    List<String> users = new ArrayList<>(IdList.named(options.get().ids(), recommender.users()));
    users.addAll(listed);
    Set<String> unknown = new LinkedHashSet<>(users);
    unknown.removeIf(id -> recommender.users().search(id).isPresent());
    if (treatment == UnknownUsers.SKIP) {
      users.removeIf(unknown::contains);
    }
    int count = all ? recommender.users().size() : users.size();
    if (count == 0) {
      throw PecfException.badData(
          "The model does not have %s. Name users of the data that it was trained on, or take"
              + " --unknown-users popular.",
          some(unknown));
    }
    Stream<UserRecommendations> lists =
        all ? recommender.recommendToAll(request) : recommender.recommend(users, request);
    if (!unknown.isEmpty()) {
      warn(
          "The model does not have %s, who %s %s.",
          some(unknown),
          unknown.size() == 1 ? "gets" : "get",
          treatment == UnknownUsers.POPULAR
              ? "popular items"
              : unknown.size() == 1 ? "no list" : "no lists");
    }
    IdKind kind =
        unknown.stream().allMatch(id -> WHOLE_NUMBER.matcher(id).matches())
            ? recommender.users().kind()
            : IdKind.TEXT;
    return new RecommendationOutput.Lists(
        lists,
        count,
        all,
        columns(kind, unknown.size() + recommender.usersWithoutItems(), surroundings));
  }

  /** Return the users in the file, if there is one, having checked that somebody is named. */
  private List<String> usersOfFile() {
    Options given = options.get();
    boolean named = given.file().isPresent() || !given.ids().values().isEmpty();
    if (given.unknownUsers().isPresent() && given.allUsers()) {
      throw PecfException.badOption(
          "--unknown-users has no effect with --all-users. Leave it out.");
    }
    if (given.newUsers().given()) {
      if (given.allUsers() || named) {
        throw PecfException.badOption(
            "--items and --history stand for new users. Leave out --user, --users and"
                + " --all-users.");
      }
      return List.of();
    }
    if (given.allUsers()) {
      if (named) {
        throw PecfException.badOption(
            "--all-users stands for every user. Leave out --user and --users.");
      }
      return List.of();
    }
    if (!named) {
      throw PecfException.badOption(
          "No user was named. Name users with --user ID or --users FILE, or take --all-users.");
    }
    List<String> users = given.file().map(file -> IdList.read("--users", file)).orElse(List.of());
    if (users.isEmpty() && given.ids().values().isEmpty()) {
      throw PecfException.badData(
          "%s names no user. Write one id per line.", given.file().orElseThrow());
    }
    return users;
  }

  private static String some(Set<String> unknown) {
    List<String> first = unknown.stream().limit(NAMED).toList();
    String names = String.join(", ", first);
    return unknown.size() == 1
        ? "the user " + names
        : Figures.count(unknown.size()) + " users, such as " + names;
  }

  /** Refuse lists of items that leave nothing to recommend, and say which items are unknown. */
  private void checkItems(IdMap items) {
    request
        .only()
        .ifPresent(
            ids -> {
              Path only = options.get().only().orElseThrow();
              long unknown = ids.stream().filter(id -> items.search(id).isEmpty()).count();
              if (unknown == ids.size()) {
                throw PecfException.badData(
                    "The model has none of the items in %s. Write ids of its data, one per line.",
                    only);
              }
              warn(unknown, only);
            });
    warn(
        request.excluded().stream().filter(id -> items.search(id).isEmpty()).count(),
        options.get().exclude().orElse(null));
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
