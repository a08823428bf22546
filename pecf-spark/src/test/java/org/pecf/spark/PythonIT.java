package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The wrappers for Python have the parameters of the estimator, and train where PySpark is: in the
 * folder {@code python} of {@code SPARK_HOME}, or installed.
 */
class PythonIT {
  private static final Path WRAPPERS = Path.of("src/main/python/pecf_spark.py").toAbsolutePath();

  private static final String PROGRAM =
      """
      import sys
      from pyspark.ml import Pipeline, PipelineModel
      from pyspark.sql import SparkSession
      from pecf_spark import Pecf, PecfError, PecfModel

      spark = (
          SparkSession.builder.master("local[2]")
          .config("spark.jars", sys.argv[1])
          .config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", "2")
          .getOrCreate())
      folder = sys.argv[2]
      cells = spark.createDataFrame(
          [(u, i) for u in range(60) for i in range(40) if (u - i) % 4 == 0], ["user", "item"])

      def refuses(words, action):
          try:
              action()
          except PecfError as error:
              assert words in str(error) and "\\tat " not in str(error), error
          else:
              assert False, words

      # Parameters are those of Java.
      for stage in (Pecf(), Pecf(rounds=0, rank=2, iterations=1).fit(cells)):
          java = stage._java_obj
          assert {p.name for p in stage.params} == {p.name() for p in java.params()}
          for param in stage.params:
              theirs = java.getParam(param.name)
              assert param.doc == theirs.doc(), (param.doc, theirs.doc())
              assert stage.getOrDefault(param) == java.getDefault(theirs).get(), param
              assert getattr(stage, "get" + param.name[0].upper() + param.name[1:])() \\
                  == stage.getOrDefault(param)

      pecf = Pecf(rank=8, rounds=1, iterations=2, lambda_=2.0, seed=2**40).setNumBlocks(2)
      assert pecf.getLambda() == 2.0 and pecf.getOrDefault("lambda") == 2.0
      model = pecf.fit(cells)
      assert model._java_obj.parent().getOrDefault(pecf._java_obj.getParam("lambda")) == 2.0
      assert len(model.memberWeights) == 2 and len(model.reports) == 2, model.reports
      assert model.userFactors.count() == 60 and model.itemFactors.count() == 40
      lists = sorted(model.recommendForAllUsers(5).collect())
      assert len(lists) == 60
      assert model.recommendForItemSubset(cells.limit(1), 3).count() == 1
      assert model.recommendUnknown(cells, cells, 3).count() == 60
      predicted = model.transform(cells).orderBy("user", "item").collect()
      other = pecf.fit(cells, {pecf.getParam("lambda"): 3.0, pecf.rank: 4})
      assert len(other.userFactors.first().features) == 8

      # What is stored is loaded, in all ways.
      pecf.write().overwrite().save(folder + "/pecf")
      model.write().overwrite().save(folder + "/model")
      for loaded in (Pecf.load(folder + "/pecf"), Pecf.read().load(folder + "/pecf")):
          assert type(loaded) is Pecf and loaded.uid == pecf.uid
          assert {p.name: v for p, v in loaded.extractParamMap().items()} \\
              == {p.name: v for p, v in pecf.extractParamMap().items()}
      for loaded in (PecfModel.load(folder + "/model"), PecfModel.read().load(folder + "/model")):
          assert type(loaded) is PecfModel
          assert sorted(loaded.recommendForAllUsers(5).collect()) == lists
      pipeline = Pipeline(stages=[pecf])
      pipeline.write().overwrite().save(folder + "/pipeline")
      again = Pipeline.load(folder + "/pipeline")
      assert type(again.getStages()[0]) is Pecf and again.getStages()[0].getRank() == 8
      again.fit(cells).write().overwrite().save(folder + "/trained")
      trained = PipelineModel.load(folder + "/trained")
      assert trained.transform(cells).orderBy("user", "item").collect() == predicted

      # Refusals are those of PECF, without a stack of Java.
      refuses("does not run on Spark", lambda: Pecf(construction="em").fit(cells))
      refuses("list of 0", lambda: model.recommendForAllUsers(0))
      refuses("string indexer", lambda: model.transform(cells.selectExpr("'a' as user", "item")))
      refuses("holds null", lambda: Pecf().fit(cells.selectExpr("nullif(user, 5) as user", "item")))
      model.exportTo(folder + "/exported", cells)
      refuses("exported", lambda: model.exportTo(folder + "/exported", cells))
      refuses("already exists", lambda: pecf.save(folder + "/pecf"))
      refuses("already exists", lambda: model.write().save(folder + "/model"))
      refuses("not a model", lambda: PecfModel.load(folder + "/pecf"))
      print("lists", len(lists))
      """;

  @TempDir Path folder;

  @Test
  void everyParameterIsThere() throws Exception {
    Set<String> wrapped =
        Pattern.compile("\"(\\w+)\": \\(")
            .matcher(Files.readString(WRAPPERS))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> expected =
        Arrays.stream(new Pecf().params())
            .map(param -> param.name())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(expected, wrapped);
  }

  private int run(File output, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    List<String> modules = new ArrayList<>(List.of(WRAPPERS.getParent().toString()));
    String home = System.getenv("SPARK_HOME");
    if (home != null) {
      Path python = Path.of(home, "python");
      modules.add(python.toString());
      try (Stream<Path> files = Files.find(python, 2, (file, kind) -> kind.isRegularFile())) {
        files.map(Path::toString).filter(name -> name.endsWith("-src.zip")).forEach(modules::add);
      }
    }
    builder.environment().put("PYTHONPATH", String.join(File.pathSeparator, modules));
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.directory(folder.toFile()).redirectOutput(output).start();
    assertTrue(process.waitFor(10, TimeUnit.MINUTES), "Python does not end");
    return process.exitValue();
  }

  @Test
  void pythonTrainsStoresAndLoads() throws Exception {
    File output = folder.resolve("output").toFile();
    boolean there = Files.isExecutable(Path.of("/usr/bin/env"));
    there = there && run(output, "/usr/bin/env", "python3", "-c", "import pyspark.ml") == 0;
    assumeTrue(
        there,
        "PySpark is neither installed nor in SPARK_HOME/python: the wrappers for Python are not"
            + " run");
    Matcher documented =
        Pattern.compile("```python\n([^`]*)```")
            .matcher(Files.readString(Path.of("../docs/spark.md")));
    assertTrue(documented.find(), "a program in docs/spark.md");
    Path program =
        Files.writeString(
            folder.resolve("train.py"), PROGRAM + "ratings = cells\n" + documented.group(1));
    int code =
        run(
            output,
            "/usr/bin/env",
            "python3",
            program.toString(),
            SparkHome.assembly().toString(),
            folder.resolve("stored").toString());
    String text = Files.readString(output.toPath());
    assertEquals(0, code, text);
    assertTrue(text.contains("lists 60"), text);
  }
}
