package org.pecf.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.distribution.Distribution.Outcome;

/** The script that made the table of docs/results/related.md, on the embedded data. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "related.sh is a script of the Unix shell")
class RelatedScriptIT {
  private static final Path SCRIPT = Path.of("../docs/results/related.sh").toAbsolutePath();

  @TempDir private Path folder;

  private Outcome run(String... arguments) throws Exception {
    return Distribution.in(folder)
        .with("PECF", Distribution.built().resolve("bin/pecf-run").toString())
        .with("DRAWS", "1")
        .launchedBy(SCRIPT)
        .run(arguments);
  }

  @Test
  void searchesEveryMethodAndTrainsTheWinners() throws Exception {
    run("search", "demo", "out").expectExit(0);
    for (String method : new String[] {"llorma", "cccf", "ens-nmf", "rankboost"}) {
      Path trials = folder.resolve("out/search").resolve(method).resolve("trials.jsonl");
      assertEquals(1, Files.readAllLines(trials).size(), method);
    }
    run("train", "demo", "out", "llorma").expectExit(0);
    for (int seed = 1; seed <= 3; seed++) {
      assertTrue(Files.isRegularFile(folder.resolve("out/runs/llorma-" + seed + "/metrics.json")));
    }
  }

  @Test
  void saysWhatItDoesNotKnow() throws Exception {
    Outcome set = run("search", "netflix", "out").expectExit(2);
    assertTrue(set.err().contains("there is no set netflix"), set.err());
    Outcome method = run("search", "demo", "out", "lorma").expectExit(2);
    assertTrue(method.err().contains("there is no search for lorma"), method.err());
    Outcome step = run("find", "demo", "out").expectExit(2);
    assertTrue(step.err().contains("find is no step"), step.err());
  }
}
