package org.pecf.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.cli.option.OptionValues;
import org.pecf.cli.option.WholeNumber;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.model.Opening;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.Recommender;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that finds the items most similar to one. */
@CommandLine.Command(
    name = "similar",
    abbreviateSynopsis = true,
    description = "Find the items of a stored model that are most similar to one.")
public final class SimilarCommand extends Command {
  @Parameters(paramLabel = "MODEL", description = "The folder of a model (see train --out).")
  private Path model;

  @Option(names = "--item", paramLabel = "ID", description = "The item, by the id in the data.")
  private String item;

  @Option(
      names = "--liked-by",
      paramLabel = "ID,...",
      split = ",",
      hideParamSyntax = true,
      description = "Instead of an item of the model: the users who like a new one.")
  private List<String> users = new ArrayList<>();

  @Option(
      names = "--top",
      converter = WholeNumber.class,
      paramLabel = "K",
      description = "The number of items (default: 10).")
  private int top = 10;

  @Option(
      names = "--output-format",
      paramLabel = "FORM",
      description = "The form of the output: table or json (default: table).")
  private String form = "table";

  /** Create the command. */
  public SimilarCommand(Console console) {
    super(console);
  }

  @Override
  public int run() {
    ExplainCommand.Form printed =
        OptionValues.choice("--output-format", form, ExplainCommand.Form.values());
    if ((item == null) == users.isEmpty()) {
      throw PecfException.badOption(
          "Name an item with --item ID, or the users of a new one with --liked-by ID,ID.");
    }
    try (Recommender recommender = Recommender.open(model, Opening.VERIFIED)) {
      warnIfIncomplete(model, recommender.description());
      List<Recommendation> similar =
          item == null ? recommender.similarToNew(users, top) : recommender.similar(item, top);
      print(similar, recommender.items().kind(), printed);
    }
    return 0;
  }

  private void print(List<Recommendation> similar, IdKind kind, ExplainCommand.Form printed) {
    if (printed == ExplainCommand.Form.JSON) {
      console()
          .printData(
              JsonText.of(
                  similar.stream()
                      .map(
                          one -> {
                            Map<String, Object> fields = new LinkedHashMap<>();
                            fields.put(
                                "item",
                                kind == IdKind.INTEGER ? Long.valueOf(one.item()) : one.item());
                            fields.put("similarity", one.score());
                            return fields;
                          })
                      .toList()));
    } else {
      TextTable table =
          new TextTable()
              .right("place")
              .column("item", kind == IdKind.INTEGER ? Align.RIGHT : Align.LEFT)
              .right("similarity");
      int place = 0;
      for (Recommendation one : similar) {
        table.row(Integer.toString(++place), one.item(), Figures.text(one.score()));
      }
      console().print(table);
    }
    console().out().flush();
  }
}
