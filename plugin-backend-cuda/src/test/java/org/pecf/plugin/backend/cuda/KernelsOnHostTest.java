package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The kernels on the processor: the same source, compiled by g++ with sanitizers, against loops in
 * double precision, under five orders of threads, and with each barrier removed in turn.
 */
@ExtendWith(Needs.Compiler.class)
final class KernelsOnHostTest {
  private static final NativeProgram SHIM =
      new NativeProgram("shim_test", List.of("shim/shim_test.cpp", "shim/shim.cpp"), List.of());
  private static final NativeProgram KERNELS =
      new NativeProgram(
          "kernel_tests",
          List.of("kernels/kernel_table.cpp", "shim/shim.cpp"),
          List.of(
              "kernels/fields_test.cpp",
              "kernels/pairwise_test.cpp",
              "kernels/equations_test.cpp",
              "kernels/exceptions_test.cpp",
              "kernels/ranking_test.cpp",
              "kernels/cells_test.cpp",
              "kernels/matrices_test.cpp",
              "kernels/support.cpp",
              "kernels/main.cpp"));

  @Test
  void shimNoticesWhatItIsThereToNotice() throws IOException {
    NativeProgram.Result result = SHIM.run();
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(result.output().contains("the shim: 0 failures"), result.output());
  }

  @Test
  void launchesEveryKernelOfTheSource() throws IOException {
    Map<String, Integer> bounds = new TreeMap<>();
    for (String line : KERNELS.run("--list").output().lines().toList()) {
      String[] words = line.split(" ");
      bounds.put(words[0], Integer.valueOf(words[1]));
    }
    assertEquals(KernelSource.launchBounds(), bounds);
  }

  /** In one run: without the tests there are no mutants of them. */
  @Test
  void kernelsAgreeWithLoopsAndNeedEveryBarrier() throws IOException {
    NativeProgram.Result result = KERNELS.run("--mutants");
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(
        Pattern.compile("[0-9]+ tests under 5 orders of threads, 0 failures")
            .matcher(result.output())
            .find(),
        result.output());
    Set<Integer> noticed =
        Pattern.compile("line ([0-9]+): (?!NOT NOTICED)")
            .matcher(result.output())
            .results()
            .map(match -> Integer.valueOf(match.group(1)))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(KernelSource.barrierLines(), noticed, result.output());
  }
}
