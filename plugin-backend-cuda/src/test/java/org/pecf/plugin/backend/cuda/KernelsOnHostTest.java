package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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

  private static final List<Fault> FAULTS =
      List.of(
          new Fault("khatri_rao", 1, "mul.rn.f32", "add.rn.f32", "writes Khatri-Rao panels"),
          new Fault("sum_rows", 2, "bar.sync \t0;", "", "sums rows and columns"),
          new Fault("set_identity", 1, "rem.u32", "div.u32", "writes identities and rows"),
          new Fault(
              "correct_equations",
              1,
              "mul.rn.f32",
              "add.rn.f32",
              "corrects equations at exceptions"),
          new Fault("test_cells", 1, "setp.ne.s32", "setp.eq.s32", "marks listed cells"));

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

  /**
   * The shipped PTX itself, not the source: what a device runs. Deliberate faults, one a kernel,
   * must fail the tests of that kernel.
   */
  @Test
  void shippedPtxAgreesWithLoopsAndFaultsInItAreNoticed() throws IOException {
    List<String> ptx = ptx();
    Map<String, List<KernelSource.Parameter>> signatures = KernelSource.signatures();
    for (Fault fault : FAULTS) {
      ptx.addAll(fault.kernelOf(ptx));
      signatures.put(fault.name(), signatures.get(fault.kernel()));
    }
    String more =
        FAULTS.stream()
            .map(fault -> "KERNEL(" + fault.name() + "),")
            .collect(Collectors.joining(" ", "#define MORE_KERNELS ", "\n"));
    NativeProgram program = KERNELS.with("ptx", PtxTranslator.translate(ptx, signatures) + more);

    NativeProgram.Result result = program.run();
    assertEquals(0, result.exitCode(), result.output());
    assertTrue(
        Pattern.compile("[0-9]+ tests under 5 orders of threads, 0 failures")
            .matcher(result.output())
            .find(),
        result.output());

    List<String> tests = FAULTS.stream().map(Fault::test).toList();
    List<String> arguments = new ArrayList<>(List.of("--faulty"));
    arguments.addAll(tests);
    NativeProgram.Result faulty = program.run(arguments.toArray(String[]::new));
    Set<String> noticed =
        Pattern.compile("FAILED ([^,]+),")
            .matcher(faulty.output())
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(tests), noticed, faulty.output());
  }

  @Test
  void translatorLeavesNothingOut() throws IOException {
    Fault unknown = new Fault("khatri_rao", 1, "mul.rn.f32", "tanh.approx.f32", "");
    List<String> strange = unknown.kernelOf(ptx());
    Map<String, List<KernelSource.Parameter>> signatures = KernelSource.signatures();
    signatures.put(unknown.name(), signatures.get(unknown.kernel()));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> PtxTranslator.translate(strange, signatures));
    assertTrue(refused.getMessage().contains("tanh.approx.f32"), refused.getMessage());
  }

  private static List<String> ptx() throws IOException {
    return new ArrayList<>(ShippedPtxTest.lines());
  }

  /**
   * A fault in a kernel of the PTX, and the test that notices it.
   *
   * @param n which of the kernel's lines with an instruction is changed, from 1
   * @param from what is replaced in that line
   */
  private record Fault(String kernel, int n, String from, String to, String test) {
    /** Return the name of the faulty kernel. */
    String name() {
      return kernel + "_faulty";
    }

    /** Return the kernel with the fault. */
    List<String> kernelOf(List<String> ptx) {
      int at = ptx.indexOf(".visible .entry " + kernel + "(");
      List<String> lines = new ArrayList<>();
      int met = 0;
      do {
        String line = ptx.get(at++);
        if (line.contains(from)) {
          met++;
          line = met == n ? line.replace(from, to) : line;
        }
        lines.add(line.replace(kernel, name()));
      } while (!lines.get(lines.size() - 1).equals("}"));
      assertTrue(met >= n, kernel + " has no such line: " + from);
      return lines;
    }
  }
}
