package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
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
 * double precision, under five orders of threads, and with each barrier removed in turn; and the
 * shipped PTX, translated to C++, against the same loops.
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

  /** The shipped PTX itself, not the source: what a device without NVRTC runs. */
  @Test
  void shippedPtxAgreesWithLoops() throws IOException {
    NativeProgram.Result result = KERNELS.with("ptx", translated(ptx())).run();
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(
        Pattern.compile("[0-9]+ tests under 5 orders of threads, 0 failures")
            .matcher(result.output())
            .find(),
        result.output());
  }

  /** Deliberate faults in the PTX, one a kernel, must fail the tests of that kernel. */
  @Test
  void faultsInThePtxAreNoticed() throws IOException {
    List<String> faulty = ptx();
    change(faulty, "khatri_rao", 1, "mul.rn.f32", "add.rn.f32");
    change(faulty, "sum_rows", 2, "bar.sync 	0;", "");
    change(faulty, "set_identity", 1, "rem.u32", "div.u32");
    change(faulty, "correct_equations", 1, "mul.rn.f32", "add.rn.f32");
    change(faulty, "test_cells", 1, "setp.ne.s32", "setp.eq.s32");
    NativeProgram.Result result = KERNELS.with("faulty-ptx", translated(faulty)).run();
    Set<String> noticed =
        Pattern.compile("FAILED ([^,]+),")
            .matcher(result.output())
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        Set.of(
            "writes Khatri-Rao panels",
            "sums rows and columns",
            "writes identities and rows",
            "corrects equations at exceptions",
            "marks listed cells"),
        noticed,
        result.output());
  }

  @Test
  void translatorLeavesNothingOut() throws IOException {
    List<String> strange = ptx();
    change(strange, "khatri_rao", 1, "mul.rn.f32", "tanh.approx.f32");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> translated(strange));
    assertTrue(refused.getMessage().contains("tanh.approx.f32"), refused.getMessage());
  }

  private static List<String> ptx() throws IOException {
    return new ArrayList<>(Files.readAllLines(ShippedPtxTest.PTX));
  }

  private static String translated(List<String> ptx) throws IOException {
    return PtxTranslator.translate(ptx, KernelSource.signatures());
  }

  /** Change the n-th line of a kernel that has an instruction. */
  private static void change(List<String> ptx, String kernel, int n, String from, String to) {
    int at = ptx.indexOf(".visible .entry " + kernel + "(");
    for (int met = 0; met < n; ) {
      at++;
      met += ptx.get(at).contains(from) ? 1 : 0;
      assertFalse(ptx.get(at).equals("}"), kernel + " has no such line: " + from);
    }
    ptx.set(at, ptx.get(at).replace(from, to));
  }
}
