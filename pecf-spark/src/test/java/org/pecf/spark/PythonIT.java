package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wrappers for Python have the parameters of the estimator, and train where PySpark is. */
class PythonIT {
  private static final Path WRAPPERS = Path.of("src/main/python/pecf_spark.py").toAbsolutePath();

  private static final String PROGRAM =
      """
      import sys
      from pyspark.sql import SparkSession
      from pecf_spark import Pecf, PecfModel
      spark = SparkSession.builder.master("local[2]").config("spark.jars", sys.argv[1]).getOrCreate()
      cells = spark.createDataFrame(
          [(u, i) for u in range(60) for i in range(40) if (u - i) % 4 == 0], ["user", "item"])
      model = Pecf(rank=8, rounds=1, iterations=2).setNumBlocks(2).fit(cells)
      model.write().overwrite().save(sys.argv[2])
      print("lists", PecfModel.load(sys.argv[2]).recommendForAllUsers(5).count())
      """;

  @TempDir Path folder;

  @Test
  void everyParameterIsThere() throws Exception {
    Set<String> wrapped =
        Pattern.compile("\"(\\w+)\": _[A-Z]+")
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
    builder.environment().put("PYTHONPATH", WRAPPERS.getParent().toString());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.redirectOutput(output).start();
    assertTrue(process.waitFor(3, TimeUnit.MINUTES), "Python does not end");
    return process.exitValue();
  }

  @Test
  void pythonTrains() throws Exception {
    File output = folder.resolve("output").toFile();
    boolean there = Files.isExecutable(Path.of("/usr/bin/env"));
    there = there && run(output, "/usr/bin/env", "python3", "-c", "import pyspark") == 0;
    assumeTrue(there, "PySpark is not installed: the wrappers for Python are not run");
    Path program = Files.writeString(folder.resolve("train.py"), PROGRAM);
    int code =
        run(
            output,
            "/usr/bin/env",
            "python3",
            program.toString(),
            SparkHome.assembly().toString(),
            folder.resolve("model").toString());
    String text = Files.readString(output.toPath());
    assertEquals(0, code, text);
    assertTrue(text.contains("lists 60"), text);
  }
}
