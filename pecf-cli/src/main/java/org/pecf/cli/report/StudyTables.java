package org.pecf.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.pecf.cli.console.Figures;
import org.pecf.cli.console.TextTable;
import org.pecf.cli.console.TextTable.Align;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.study.SearchSpace;
import org.pecf.study.Trial;
import org.pecf.study.TuneResult;
import org.pecf.study.TuneSettings;

/** The tables that show the outcome of studies. */
public final class StudyTables {
  private StudyTables() {}

  /** Show the trials of a search in the order they were done. */
  public static TextTable trials(TuneResult result, TuneSettings settings, TrainingRequest base) {
    boolean halving = settings.strategy() == TuneSettings.Strategy.HALVING;
    TextTable table = new TextTable().right("setting");
    if (halving) {
      table.column(settings.budget(base).unit(), Align.RIGHT);
    }
    for (SearchSpace.Parameter parameter : settings.space().parameters()) {
      table.column(parameter.key(), Align.RIGHT);
    }
    table.column("validation " + base.ensemble().selection(), Align.RIGHT).right("time");
    for (Trial trial : result.trials()) {
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(trial.number()));
      if (halving) {
        row.add(Integer.toString(trial.budget()));
      }
      row.addAll(trial.setting().values());
      row.add(trial.succeeded() ? Figures.text(trial.score().getAsDouble()) : "failed");
      row.add(Figures.seconds(trial.seconds()));
      boolean best =
          trial.number() == result.best().number() && trial.budget() == result.best().budget();
      table.row(row, best ? Set.of(row.size() - 2) : Set.of());
    }
    return table;
  }
}
