package org.pecf.cli.command;

import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.RecordOptions.Repeated;
import org.pecf.cli.option.WorkOptions;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;

/** The command that explains recommendations. */
@CommandLine.Command(description = "Explain why a stored model recommends items to a user.")
public final class ExplainCommand extends ModelCommand {
  /** The forms of the output. */
  private enum Form {
    /** Tables for people. */
    TABLE,
    /** An array. */
    JSON
  }

  /** The user, the items, and the output. */
  private record Options(
      @Option(value = "The user, by the id in the data", label = "ID") Optional<String> user,
      @Option(
              value = "Instead of a user of the model: the items that a new one likes",
              key = "items",
              label = "ID,...")
          Optional<List<String>> liked,
      @Option(
              value = "An item to explain; repeatable",
              key = "item",
              label = "ID",
              unset = "the best items")
          Repeated items,
      @Option(
              value = "Without --item, the number of best items to explain",
              label = "K",
              unset = "1")
          Optional<Integer> top,
      @Option(
              value = "The number of liked items to show in a table",
              key = "likes",
              label = "K",
              defaultValue = "5")
          int shown,
      @Option(
              value =
                  "Show the titles of items from a text file: an item per line, its id, then its"
                      + " title",
              label = "FILE")
          Optional<Path> titles,
      @Option(
              value = "The form of the output",
              key = "output-format",
              label = "FORM",
              defaultValue = "table")
          Form form) {}

  private final RecordOptions<Options> options =
      add(MethodHandles.lookup(), Options.class).repeatable("item").repeatable("items", ",");

  private final WorkOptions work = add(WorkOptions.ofRanking());

  @Override
  public int run() {
    Options given = options.get();
    if (given.user().isPresent() == given.liked().isPresent()) {
      throw PecfException.badOption(
          "Name a user with --user ID, or the items that a new one likes with --items ID,ID.");
    }
    if (given.top().isPresent() && !given.items().values().isEmpty()) {
      throw PecfException.badOption("--top has no effect beside --item. Leave one of them out.");
    }
    PluginCatalog catalog = catalog();
    Workspace workspace =
        new Workspace(catalog, work.compute(catalog), RunListener.none(), () -> false);
    try (Recommender recommender = Recommender.open(model(), workspace)) {
      warnIfIncomplete(recommender.description());
      List<Explanation> explanations =
          explained(recommender).stream()
              .map(
                  item ->
                      given.liked().isPresent()
                          ? recommender.explainFor(given.liked().get(), item)
                          : recommender.explain(given.user().orElseThrow(), item))
              .toList();
      Optional<ItemTitles> titles =
          given.titles().map(place -> ItemTitles.read(place, recommender.items()));
      if (given.form() == Form.JSON) {
        console()
            .printData(
                JsonText.of(
                    titles.isEmpty()
                        ? explanations
                        : titled(
                            explanations.stream().map(JsonText::fields).toList(), titles.get())));
      } else {
        UnaryOperator<String> name =
            item ->
                titles
                    .map(all -> all.of(item))
                    .filter(title -> !title.isEmpty())
                    .map(title -> item + " (" + title + ")")
                    .orElse(item);
        explanations.forEach(one -> print(one, name));
      }
      console().out().flush();
    }
    return 0;
  }

  private List<String> explained(Recommender recommender) {
    Options given = options.get();
    if (!given.items().values().isEmpty()) {
      return given.items().values();
    }
    int count = given.top().orElse(1);
    return given
        .liked()
        .map(liked -> recommender.recommendFor(liked, count))
        .orElseGet(() -> recommender.recommend(given.user().orElseThrow(), count))
        .stream()
        .map(Recommendation::item)
        .toList();
  }

  /** Return JSON with the titles of items beside their ids. */
  private static Object titled(Object json, ItemTitles titles) {
    if (json instanceof List<?> list) {
      return list.stream().map(one -> titled(one, titles)).toList();
    }
    if (json instanceof Map<?, ?> fields) {
      Map<Object, Object> titled = new LinkedHashMap<>();
      fields.forEach(
          (key, value) -> {
            titled.put(key, titled(value, titles));
            if (key.equals("item")) {
              titled.put("title", titles.of(String.valueOf(value)));
            }
          });
      return titled;
    }
    return json;
  }

  private void print(Explanation explanation, UnaryOperator<String> name) {
    PrintStream out = console().out();
    out.printf(
        "item %s for %s: score %s, rank %s of %s%n%n",
        name.apply(explanation.item()),
        options.get().user().isEmpty() ? "a new user" : "user " + explanation.user(),
        Figures.text(explanation.score()),
        Figures.count(explanation.rank()),
        Figures.count(explanation.candidates()));
    TextTable members =
        new TextTable().right("member").left("filter").right("weight", "score", "share", "rank");
    int number = 0;
    for (Explanation.MemberShare member : explanation.members()) {
      members.row(
          Integer.toString(++number),
          member.filter(),
          Figures.text(member.weight()),
          Figures.text(member.score()),
          Figures.text(member.share()),
          Figures.count(member.rank()));
    }
    console().print(members);
    out.println();
    TextTable parts = new TextTable().left("because of").right("share");
    List<Explanation.LikedItem> first =
        explanation.liked().subList(0, Math.min(options.get().shown(), explanation.liked().size()));
    first.forEach(
        one -> parts.row("liking " + name.apply(one.item()), share(one.share(), explanation)));
    double others =
        explanation.liked().stream().skip(first.size()).mapToDouble(one -> one.share()).sum();
    int more = explanation.liked().size() - first.size();
    if (more > 0) {
      parts.row("liking " + Figures.count(more) + " others", share(others, explanation));
    }
    parts.row("items the user does not have", share(explanation.zeros(), explanation));
    parts.row("undivided rest", share(explanation.rest(), explanation));
    parts.row("score", Figures.text(explanation.score()));
    console().print(parts);
    out.println();
  }

  private static String share(double share, Explanation explanation) {
    return Figures.share(share, explanation.score());
  }
}
