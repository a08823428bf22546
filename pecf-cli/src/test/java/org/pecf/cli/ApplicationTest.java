package org.pecf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.console.Version;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.effort.Race;

class ApplicationTest extends RecordedApplication {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --rnk 5 | There is no option '--rnk'. Did you mean '--rank'? See 'pecf-run --help'.
          train --rnk=5 | There is no option '--rnk'. Did you mean '--rank'? See 'pecf-run train --help'.
          trian | There is no command 'trian'. Did you mean 'train'? See 'pecf-run --help'.
          plugins lits | There is no command 'lits'. Did you mean 'list'? See 'pecf-run plugins --help'.
          backends selftets | There is no command 'selftets'. Did you mean 'selftest'? See 'pecf-run backends --help'.
          --rank | --rank needs a value (D). See 'pecf-run --help'.
          --rank --rounds 3 | --rank needs a value (D). See 'pecf-run --help'.
          --rank 5 train | Options stand before the command. Write 'train' first. See 'pecf-run --help'.
          --threads x | --threads must be a whole number, not 'x'. See 'pecf-run --help'.
          --seed 1.5 | --seed must be a whole number, not '1.5'. See 'pecf-run --help'.
          --rounds 99999999999 | --rounds must be between 0 and 2147483647, not 99999999999. See 'pecf-run --help'.
          --em-deviation x | --em-deviation must be a number, not 'x'. See 'pecf-run --help'.
          --em-tolerance NaN | --em-tolerance must be a finite number, not 'NaN'. See 'pecf-run --help'.
          --seed 99999999999999999999 | --seed must be between -9223372036854775808 and 9223372036854775807, not 99999999999999999999. See 'pecf-run --help'.
          help nothing | There is no command 'nothing'. See 'pecf-run --help'.
          help recomend | There is no command 'recomend'. Did you mean 'recommend'? See 'pecf-run --help'.
          data describe more --help | 'more' is not expected here. See 'pecf-run data describe --help'.
          --select ndcg | 'ndcg' is not a metric at a cutoff. Write one as in 'ndcg@50', or wmse, which has none. See 'pecf-run --help'.
          --plugins pom.xml | --plugins names pom.xml, which is neither a folder nor a jar. Name a folder of plugins, or a plugin's jar.
          --overwrite | --overwrite has no effect without --out. Name the folder of the model, or leave it out.
          recommend m --user 1 --weight-error 0.1 | There is no option '--weight-error'. See 'pecf-run recommend --help'.
          recommend m --user 1 --path dense | There is no option '--path'. See 'pecf-run recommend --help'.
          recommend m --user 1 2 | '2' is not expected here. See 'pecf-run recommend --help'.
          recommend m --users no-such-file | --users cannot read no-such-file: there is no such file. Name a file with one id per line, or - for standard input.
          evaluate | Name the MODEL. See 'pecf-run evaluate --help'.
          recommend m | No user was named. Name users with --user ID or --users FILE, or take --all-users.
          data describe --backend cpu | There is no option '--backend'. See 'pecf-run data describe --help'.
          evaluate m --weight-error 0.1 | There is no option '--weight-error'. See 'pecf-run evaluate --help'.
          --path dense --weight-error 0.1 | Option 'weight-error' has no effect on the dense path, which is exact. Leave it out, or choose another path.
          --plugins no-such-folder | --plugins names no-such-folder, which does not exist. Name a folder of plugins, or a plugin's jar.
          recommend m --user 1 --top 0 | --top must be at least 1, not 0. See 'pecf-run recommend --help'.
          recommend m --user 1 --output-format cvs | --output-format cannot be 'cvs'. Did you mean 'csv'? It is one of: table, csv, json, jsonl, arrow, parquet.
          --log-level loud | --log-level cannot be 'loud'. It is one of: off, error, warn, info, debug, trace. See 'pecf-run --help'.
          --confidence 1 | '1' is not a confidence. Write the weights of positives and of zeros, for example 1:0.01 or, with an exponent of popularity, 1:0.01:0.5. See 'pecf-run --help'.
          """)
  void usageMistakesEndWithOneLineAndCodeTwo(String arguments, String message) {
    assertEquals(2, execute(arguments.split(" ")));
    assertEquals("pecf-run: error: " + message + System.lineSeparator(), err());
    assertEquals("", out());
  }

  @Test
  void valuesMayBeNamesOfCommands() {
    assertEquals(2, execute("--data", "data", "--test-data", "plugins"));
    assertTrue(err().contains("There is no file or folder data "), err());
    assertEquals(2, execute("plugins", "list", "--plugins"));
    assertEquals(
        "pecf-run: error: --plugins needs a value (DIR,...). See 'pecf-run plugins list --help'."
            + System.lineSeparator(),
        err());
  }

  @Test
  void optionsOfEveryCommandMayStandBeforeIt() {
    assertEquals(0, execute("-q", "data", "describe", "--data", "builtin:demo"), err());
    assertTrue(out().startsWith("users "), out());
    assertEquals("", err());
    assertEquals(
        0, execute("--progress=none", "--log-level", "off", "plugins", "describe", "wmf"), err());
    assertTrue(out().contains("wmf"), out());
    assertEquals(2, execute("--data", "builtin:demo", "data", "describe"));
    assertTrue(err().contains("Options stand before the command. Write 'data' first."), err());
  }

  @Test
  void remediesCanBePasted() throws IOException {
    Path data = Files.writeString(folder.resolve("a.csv"), "who,what,rating\n1,2,3\n4,2,5\n");
    assertEquals(2, execute("data", "describe", "--data", data.toString()));
    assertTrue(
        err()
            .contains(
                " Add --set csv.user-column=who, or another of them, or --set csv.header=no if this"
                    + " is a line of ratings."),
        err());
    assertEquals(
        0,
        execute(
            "data",
            "describe",
            "--data",
            data.toString(),
            "--set",
            "csv.user-column=who",
            "--set",
            "csv.item-column=what"),
        err());
    String[] training = "--rank 2 --rounds 0 --iterations 1 --effort none --out".split(" ");
    String[] twice = Arrays.copyOf(training, training.length + 1);
    twice[training.length] = folder.resolve("model").toString();
    assertEquals(0, execute(twice), err());
    assertEquals(2, execute(twice));
    assertTrue(err().contains("Choose another folder, or add --overwrite."), err());
  }

  @Test
  void tooLittleMemoryIsNamedThoughSettingsAreSearched() {
    assertEquals(2, execute("--memory", "900k"));
    assertTrue(err().contains("memory"), err());
    assertFalse(err().contains("settings could be trained"), err());
    assertFalse(err().contains("allocator"), err());
  }

  @Test
  void unknownProvidersEndWithCodeThree() {
    assertEquals(3, execute("--filter", "wfm"));
    assertEquals(
        "pecf-run: error: There is no filter 'wfm'. Did you mean 'wmf'? Known are: cccf, ens-nmf,"
            + " llorma, wmf."
            + System.lineSeparator(),
        err());
    assertEquals(3, execute("--filter", "als"));
    assertTrue(err().contains("There is no filter 'als'. Did you mean 'wmf'?"), err());
    assertEquals(3, execute("plugins", "describe", "wfm"));
    assertTrue(err().startsWith("pecf-run: error: No plugin offers 'wfm'. Did you mean 'wmf'?"));
  }

  @Test
  void stackTraceIsPrintedOnlyWhenAskedFor() {
    assertEquals(2, execute("--data", "none.csv"));
    assertEquals(1, err().lines().filter(line -> !line.startsWith("reading")).count(), err());
    assertEquals(2, execute("--data", "none.csv", "--stacktrace"));
    assertTrue(err().contains("org.pecf.api.PecfException: There is no file or folder none.csv"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "-h",
        "train --help",
        "evaluate --help",
        "recommend --help",
        "data --help",
        "data convert --help",
        "plugins --help",
        "plugins describe --help",
        "backends --help",
        "backends selftest --help"
      })
  void helpGoesToStandardOutputAndFitsTheScreen(String arguments) {
    assertEquals(0, execute(arguments.split(" ")));
    assertEquals("", err());
    assertTrue(out().startsWith("Usage: pecf-run"), out());
    out().lines().forEach(line -> assertTrue(line.length() <= 100, line));
  }

  @Test
  void helpGroupsOptionsUnderHeadings() {
    execute("--help");
    String text = out();
    assertTrue(text.indexOf("Data:") < text.indexOf("--min-user"));
    assertTrue(text.indexOf("--min-user") < text.indexOf("Ensemble:"));
    assertTrue(text.indexOf("Computing:") < text.indexOf("--threads"));
    assertTrue(text.indexOf("Output:") < text.indexOf("General:"));
  }

  @Test
  void helpFitsNarrowTerminals() {
    page(new Terminal(false, 80, false));
    for (String command : List.of("", "recommend", "tune", "plugins verify")) {
      execute((command + " --help").strip().split(" "));
      out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    }
  }

  @Test
  void tablesFitNarrowTerminals() {
    page(new Terminal(false, 80, false));
    for (String command : List.of("plugins list", "plugins describe wmf", "backends", "data")) {
      assertEquals(0, execute(command.split(" ")), command);
      // A sentence with the place of a jar may be longer.
      out()
          .lines()
          .filter(line -> !line.startsWith("from "))
          .forEach(line -> assertTrue(line.length() <= 80, line));
    }
  }

  @Test
  void helpShowsTrueDefaults() {
    execute("--help");
    String train = out().replaceAll("\\s+", " ");
    for (String key : Race.chosen()) {
      assertTrue(
          train.matches(
              ".* --" + key + "=((?! --).)*\\(default: chosen for the data by --effort, else .*"),
          key);
    }
    assertTrue(train.contains("(default: chosen for the data by --effort, else 1:0.01)"), train);
    execute("tune", "--help");
    assertTrue(out().contains("(default: 1:0.01)"), out());
    execute("evaluate", "--help");
    String evaluate = out().replaceAll("\\s+", " ");
    assertTrue(evaluate.contains("(default: those that the model was made from)"), evaluate);
    assertTrue(evaluate.contains("(default: as when the model was trained)"), evaluate);
    assertFalse(evaluate.contains("50,100,200"), evaluate);
    execute("update", "--help");
    assertFalse(out().contains("builtin:demo"), out());
  }

  @Test
  void helpNamesEveryConstructionAndSplit() {
    execute("--help");
    String text = out().replaceAll("\\s+", " ");
    Construction.names().forEach(name -> assertTrue(text.contains(name), name));
    SplitRule.forms().forEach(form -> assertTrue(text.contains(form.split(":")[0]), form));
  }

  @Test
  void configFileGivesDefaultsAndTheCommandLineWins() throws IOException {
    Path config =
        Files.writeString(folder.resolve("run.yaml"), "data: a.csv\nset:\n  wmf.rank: zero\n");
    assertEquals(2, execute("--config", config.toString()));
    assertEquals(
        "pecf-run: error: filter wmf: rank must be a whole number, not 'zero'."
            + System.lineSeparator(),
        err());
    assertEquals(2, execute("train", "--config=" + config, "--set", "wmf.rank=5"));
    assertTrue(err().contains("There is no file or folder a.csv"), err());
    assertEquals(
        2, execute("--config", config.toString(), "--set", "wmf.rank=5", "--data", "b.csv"));
    assertTrue(err().contains("There is no file or folder b.csv"), err());
  }

  @Test
  void mistakesInConfigFilesAreNamedWithFileAndLine() throws IOException {
    Path config = Files.writeString(folder.resolve("run.yaml"), "rank: 5\nthreads: many\n");
    assertEquals(2, execute("--config", config.toString()));
    assertEquals(
        "pecf-run: error: "
            + config
            + ":2: --threads must be a whole number, not 'many'. See 'pecf-run --help'."
            + System.lineSeparator(),
        err());
    Files.writeString(config, "help: true\n");
    assertEquals(2, execute("--config", config.toString()));
    assertTrue(err().startsWith("pecf-run: error: " + config + ":1: There is no option 'help'."));
  }

  @Test
  void pluginsAreListedAndDescribed() {
    assertEquals(0, execute("plugins", "list"));
    assertTrue(out().lines().anyMatch(line -> line.matches("wmf +filter +\\S+ +1 +loaded +.*")));
    assertTrue(
        out().lines().anyMatch(line -> line.matches("posterior +weighting +\\S+ +1 +loaded +.*")));
    assertEquals(0, execute("plugins", "describe", "uniform"));
    assertTrue(out().contains("weighting uniform: "));
    assertTrue(out().contains("alpha uniform: "));
    assertEquals(0, execute("plugins", "describe", "wmf"));
    assertTrue(
        out().lines().anyMatch(line -> line.matches("rank +integer +50 +1 to 4096 +.*")), out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V", "-q --version", "--version --rank 3"})
  void versionIsPrintedInsteadOfTraining(String arguments) {
    Application application = application();
    assertEquals(0, application.execute(arguments.split(" ")));
    assertEquals(Version.text(), out().strip());
    assertFalse(application.started());
  }

  @Test
  void nothingRunsForHelpOrMistakes() {
    Application application = application();
    application.execute("--help");
    application.execute("--rnk");
    assertFalse(application.started());
  }

  @Test
  void helpNamesACommandBeforeOrAfter() {
    assertEquals(0, execute("help", "data", "describe"));
    String help = out();
    assertEquals(0, execute("data", "describe", "--help"));
    assertEquals(out(), help);
    assertEquals(0, execute("help"));
    assertTrue(out().contains("pecf-run help COMMAND"), out());
  }
}
