package org.pecf.cli.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunListener;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.option.OptionValues;
import org.pecf.cli.option.WholeNumber;
import org.pecf.cli.option.WorkOptions;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that explains recommendations. */
@CommandLine.Command(
    name = "explain",
    abbreviateSynopsis = true,
    description = "Explain why a stored model recommends items to a user.")
public final class ExplainCommand extends Command {
  /** The forms of the output. */
  enum Form {
    /** Tables for people. */
    TABLE,
    /** An array. */
    JSON
  }

  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(names = "--user", paramLabel = "ID", description = "The user, by the id in the data.")
  private String user;

  @Option(
      names = "--items",
      paramLabel = "ID,...",
      split = ",",
      hideParamSyntax = true,
      description = "Instead of a user of the model: the items that a new one likes.")
  private List<String> liked = new ArrayList<>();

  @Option(
      names = "--item",
      paramLabel = "ID",
      description = "An item to explain; repeatable (default: the best items).")
  private List<String> items = new ArrayList<>();

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "Without --item, the number of best items to explain (default: 1).")
  private Integer top;

  @Option(
      names = "--likes",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "The number of liked items to show in a table (default: 5).")
  private int shown = 5;

  @Option(
      names = "--titles",
      paramLabel = "FILE",
      description =
          "Show the titles of items from a text file: an item per line, its id, then its title.")
  private @Nullable Path titles;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description = "The form of the output: table or json (default: table).")
  private String form = "table";

  @Mixin private WorkOptions options = WorkOptions.ofRanking();

  /** Create the command. */
  public ExplainCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    Form printed = OptionValues.choice("--output-format", form, Form.values());
    if ((user == null) == liked.isEmpty()) {
      throw PecfException.badOption(
          "Name a user with --user ID, or the items that a new one likes with --items ID,ID.");
    }
    if (top != null && !items.isEmpty()) {
      throw PecfException.badOption("--top has no effect beside --item. Leave one of them out.");
    }
    PluginCatalog catalog = catalog();
    Workspace workspace =
        new Workspace(catalog, options.compute(catalog), RunListener.none(), () -> false);
    try (Recommender recommender = Recommender.open(model, workspace)) {
      warnIfIncomplete(model, recommender.description());
      List<Explanation> explanations =
          explained(recommender).stream()
              .map(
                  item ->
                      user == null
                          ? recommender.explainFor(liked, item)
                          : recommender.explain(user, item))
              .toList();
      Optional<ItemTitles> known =
          Optional.ofNullable(titles).map(place -> ItemTitles.read(place, recommender.items()));
      if (printed == Form.JSON) {
        console()
            .printData(
                JsonText.of(
                    known.isEmpty()
                        ? explanations
                        : explanations.stream().map(one -> titled(one, known.get())).toList()));
      } else {
        UnaryOperator<String> name =
            item ->
                known
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
    if (!items.isEmpty()) {
      return items;
    }
    int count = top == null ? 1 : top;
    return (user == null
            ? recommender.recommendFor(liked, count)
            : recommender.recommend(user, count))
        .stream().map(Recommendation::item).toList();
  }

  /** Return an explanation as JSON has it, with titles beside ids. */
  private static Map<String, Object> titled(Explanation explanation, ItemTitles titles) {
    Map<String, Object> fields = new LinkedHashMap<>();
    JsonText.fields(explanation)
        .forEach(
            (key, value) -> {
              fields.put(key, value);
              if (key.equals("item")) {
                fields.put("title", titles.of(explanation.item()));
              }
            });
    fields.put(
        "liked",
        explanation.liked().stream()
            .map(
                one -> {
                  Map<String, Object> liked = new LinkedHashMap<>();
                  liked.put("item", one.item());
                  liked.put("title", titles.of(one.item()));
                  liked.put("share", one.share());
                  return liked;
                })
            .toList());
    return fields;
  }

  private void print(Explanation explanation, UnaryOperator<String> name) {
    PrintStream out = console().out();
    out.printf(
        "item %s for %s: score %s, rank %s of %s%n%n",
        name.apply(explanation.item()),
        user == null ? "a new user" : "user " + explanation.user(),
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
        explanation.liked().subList(0, Math.min(shown, explanation.liked().size()));
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
