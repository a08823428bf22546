package org.pecf.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputationPath;
import org.pecf.cli.RecordedApplication;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.DuplicatePolicy;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.evaluate.CandidatePolicy;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.request.TrainingRequest;
import picocli.CommandLine;

class TrainingOptionsTest extends RecordedApplication {
  private static final PluginCatalog CATALOG = PluginCatalog.builtIn();

  private static TrainingRequest request(String... arguments) {
    try {
      return given(arguments).request(CATALOG);
    } catch (CommandLine.ParameterException e) {
      throw (PecfException) e.getCause();
    }
  }

  private static String problem(String... arguments) {
    return assertThrows(PecfException.class, () -> request(arguments)).getMessage();
  }

  private static Arguments maps(
      String arguments, Function<TrainingRequest, Object> part, Object expected) {
    return Arguments.of(arguments, part, expected);
  }

  static Stream<Arguments> mappings() {
    return Stream.of(
        maps("", r -> r.data().location(), "builtin:demo"),
        maps("--data x.csv", r -> r.data().location(), "x.csv"),
        maps("--format csv", r -> r.data().format().id(), "csv"),
        maps("--positive >=4", r -> r.data().positive(), PositiveRule.parse(">=4")),
        maps("--min-user 3", r -> r.data().minUser(), 3),
        maps("--min-item 4", r -> r.data().minItem(), 4),
        maps("--duplicates highest", r -> r.data().duplicates(), DuplicatePolicy.HIGHEST),
        maps("", r -> r.split().toString(), "positives:3:1:1"),
        maps("--split positives:8:1:1", r -> r.split().toString(), "positives:8:1:1"),
        maps("--test-data t", r -> r.data().testLocation(), Optional.of("t")),
        maps("--test-data t", r -> r.split().toString(), "files"),
        maps("--validation-data v", r -> r.data().validationLocation(), Optional.of("v")),
        maps("", r -> r.ensemble().construction(), Construction.PROGRESSIVE),
        maps("", r -> r.ensemble().weighting().id(), "posterior"),
        maps("", r -> r.ensemble().alpha().id(), "uniform"),
        maps("--construction bagging", r -> r.ensemble().weighting().id(), "uniform"),
        maps("--construction bagging", r -> r.ensemble().alpha().id(), "uniform"),
        maps("--construction l2boost", r -> r.ensemble().alpha().id(), "fixed"),
        maps("--alpha fixed:0.4", r -> r.ensemble().alpha().options().get("value"), "0.4"),
        maps("", r -> r.ensemble().rounds(), 4),
        maps("--rounds 7", r -> r.ensemble().rounds(), 7),
        maps("--patience 2", r -> r.ensemble().patience(), 2),
        maps("", r -> r.ensemble().selection().toString(), "recall@50"),
        maps("--cutoffs 20,10", r -> r.ensemble().selection().toString(), "recall@20"),
        maps(
            "--patience 1 --select ndcg@100", r -> r.ensemble().selection().toString(), "ndcg@100"),
        maps("--rank 7", r -> r.ensemble().filters().get(0).options().get("rank"), "7"),
        maps("--iterations 3", r -> r.ensemble().filters().get(0).options().get("iterations"), "3"),
        maps("--lambda 0.5", r -> r.ensemble().filters().get(0).options().get("lambda"), "0.5"),
        maps("--nu 3", r -> r.ensemble().weighting().options().get("nu"), "3.0"),
        maps("--sigma 2", r -> r.ensemble().weighting().options().get("sigma"), "2.0"),
        maps("--scaling raw", r -> r.ensemble().weighting().options().get("scaling"), "raw"),
        maps("--filter wmf:3,wmf:9", TrainingOptionsTest::ranks, List.of("3", "9")),
        maps("--filter wmf,wmf --rank 5", TrainingOptionsTest::ranks, List.of("5", "5")),
        maps("", r -> r.ensemble().confidence(), new Confidence(1, 0.01f)),
        maps("--confidence 2:0.5", r -> r.ensemble().confidence(), new Confidence(2, 0.5f)),
        maps("", r -> r.seed(), 1L),
        maps("--seed -5", r -> r.seed(), -5L),
        maps("--backend cpu", r -> r.compute().backend().id(), "cpu"),
        maps("", r -> r.compute().backend(), ProviderChoice.of("auto")),
        maps("--threads 3", r -> r.compute().threads(), 3),
        maps("--memory 1g", r -> r.compute().memory().bytes(), 1L << 30),
        maps("--path dense", r -> r.compute().path(), ComputationPath.DENSE),
        maps("--weight-error 0.2", r -> r.compute().weightError(), 0.2),
        maps("", r -> r.evaluation().cutoffs(), List.of(10, 20, 50)),
        maps("--cutoffs 5", r -> r.evaluation().cutoffs(), List.of(5)),
        maps("--candidates all", r -> r.evaluation().candidates(), CandidatePolicy.ALL),
        maps("--set wmf.rank=6", r -> r.ensemble().filters().get(0).options().get("rank"), "6"),
        maps(
            "--rank 5 --set wmf.rank=6",
            r -> r.ensemble().filters().get(0).options().get("rank"),
            "6"),
        maps(
            "--set filter.wmf.rank=6",
            r -> r.ensemble().filters().get(0).options().get("rank"),
            "6"),
        maps(
            "--backend cpu --set cpu.library=ejml",
            r -> r.compute().backend().options().get("library"),
            "ejml"));
  }

  private static Object ranks(TrainingRequest request) {
    return request.ensemble().filters().stream()
        .map(filter -> filter.options().get("rank"))
        .toList();
  }

  @ParameterizedTest(name = "[{0}] gives {2}")
  @MethodSource("mappings")
  void optionsBecomeRequests(
      String arguments, Function<TrainingRequest, Object> part, Object expected) {
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
    assertEquals(expected, part.apply(request(words)));
  }

  @Test
  void optionsOfProvidersAreSpeltOut() {
    assertEquals(
        Map.of(
            "nu",
            "10.0",
            "sigma",
            "1.0",
            "scaling",
            "mean",
            "positives",
            "error",
            "zeros",
            "error"),
        request().ensemble().weighting().options());
  }

  @Test
  void unknownConstructionIsExplained() {
    assertEquals(
        "--construction cannot be 'sinlge'. Did you mean 'single'? It is one of: "
            + String.join(", ", Construction.names())
            + ".",
        problem("--construction", "sinlge"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --construction bagging --nu 3 | Option 'nu' has no effect here: weighting uniform has no option 'nu'. It takes none.
          --construction single --rounds 3 | Option 'rounds' has no effect with construction single, which builds one filter. Leave it out, or choose another construction.
          --construction single --sigma 3 | Option 'sigma' has no effect with construction single, which builds one filter. Leave it out, or choose another construction.
          --construction em --alpha uniform | Option 'alpha' has no effect with construction em, which builds a mixture of filters fitted together by expectation maximisation. Leave it out, or choose another construction.
          --em-deviation 1 | Option 'em-deviation' has no effect with construction progressive, which builds filters of re-weighted ratings, mixed in one by one (PECF). Leave it out, or choose another construction.
          --shrinkage 1 | Option 'shrinkage' goes with construction l2boost or boosted, and not with option 'alpha'. Leave it out.
          --select recall@50 | Option 'select' has no effect without patience and with weights that are not fitted. Leave it out, or set patience to 2, for example.
          --set wmf.rnk=3 | 'wmf.rnk' cannot be set: filter wmf has no option 'rnk'. Did you mean 'rank'? It takes: rank, iterations, lambda, lambda-user, lambda-item, frequency-exponent, tolerance, deviation.
          --set wfm.rank=3 | 'wfm' is not used in this run, so wfm.rank cannot be set. Did you mean 'wmf'? In use are: wmf, posterior, uniform.
          --set cpu.library=ejml | 'cpu.library' cannot be set while the backend is chosen automatically. Choose the backend cpu.
          --set csv.separator=x | 'csv.separator' cannot be set: loader csv has no option 'separator'. It takes: delimiter, header, user-column, item-column, rating-column, time-column, time-format, ids, quotes.
          --set rank | --set rank does not name an option of a plugin. Write the plugin's id, its option and the value, such as --set wmf.rank=50.
          --set rank=3 | --set rank=3 does not name an option of a plugin. Write the plugin's id, its option and the value, such as --set wmf.rank=50.
          --rounds -1 | --rounds must be at least 0, not -1.
          --threads 0 | --threads must be at least 1, not 0.
          --weight-error 1 | weight-error must be at least 0 and below 1, not 1.0.
          --cutoffs 5,0 | --cutoffs must be between 1 and 999999999, not 0.
          --path desne | --path cannot be 'desne'. Did you mean 'dense'? It is one of: auto, dense, corrected.
          --rank x | filter wmf: rank must be a whole number, not 'x'.
          --rank 0 | filter wmf: rank must be between 1 and 4096, not 0.
          --weighting posteriro | There is no weighting 'posteriro'. Did you mean 'posterior'? Known are: posterior, rankboost, uniform.
          """)
  void mistakesAreExplained(String arguments, String message) {
    assertEquals(message, problem(arguments.split(" ")));
  }
}
