package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.plugin.Option;
import org.pecf.cli.option.IdList;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.RecordOptions.Repeated;
import org.pecf.cli.report.RecommendationOutput;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationTable;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.engine.recommend.UserRecommendations.Source;
import picocli.CommandLine;

/** The command that finds the items most similar to others. */
@CommandLine.Command(
    description = "Find the items of a stored model that are most similar to one, or to each.")
public final class SimilarCommand extends ListsCommand {
  /** The items, and the lists. */
  private record Options(
      @Option(value = "Items, by the ids in the data; repeatable", key = "item", label = "ID,...")
          Repeated named,
      @Option(value = "All items of the model, in the order of ids", defaultValue = "false")
          boolean allItems,
      @Option(
              value = "Instead of items of the model: the users who like a new one",
              key = "liked-by",
              label = "ID,...")
          Optional<List<String>> users,
      ListOptions lists) {}

  private final RecordOptions<Options> options =
      add(MethodHandles.lookup(), Options.class).repeatable("item").repeatable("liked-by", ",");

  @Override
  ListOptions check() {
    Options given = options.get();
    int ways =
        (given.named().values().isEmpty() ? 0 : 1)
            + (given.allItems() ? 1 : 0)
            + (given.users().isEmpty() ? 0 : 1);
    if (ways != 1) {
      throw PecfException.badOption(
          "Name items with --item ID, take --all-items, or name the users of a new one with"
              + " --liked-by ID,ID.");
    }
    return given.lists();
  }

  @Override
  RecommendationOutput.Lists make(Surroundings surroundings) {
    Options given = options.get();
    int top = given.lists().top();
    Recommender recommender = surroundings.recommender();
    IdKind kind = recommender.items().kind();
    List<String> items = IdList.named(given.named(), recommender.items());
    List<UserRecommendations> lists = new ArrayList<>();
    items.forEach(item -> lists.add(list(item, recommender.similar(item, top))));
    given.users().ifPresent(users -> lists.add(list("new", recommender.similarToNew(users, top))));
    return new RecommendationOutput.Lists(
        given.allItems() ? recommender.similarToAll(top) : lists.stream(),
        given.allItems() ? recommender.items().size() : lists.size(),
        given.allItems(),
        new RecommendationTable.Columns(
            "item",
            given.users().isPresent() ? IdKind.TEXT : kind,
            "similar",
            kind,
            "similarity",
            given.lists().titles(recommender),
            false));
  }

  private static UserRecommendations list(String item, List<Recommendation> similar) {
    return new UserRecommendations(item, Source.MODEL, similar);
  }
}
