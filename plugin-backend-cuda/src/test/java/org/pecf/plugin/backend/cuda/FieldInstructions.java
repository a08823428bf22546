package org.pecf.plugin.backend.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Responsibility;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.plugin.backend.cuda.field.FieldProgram;
import org.pecf.plugin.backend.cuda.field.FieldSource;
import org.pecf.testkit.fixture.TestGrids;

/**
 * A count of the instructions that a cell of a field takes, by the general kernel and by one of its
 * own: both are compiled to PTX by NVRTC, and the PTX is run on the host, where every instruction
 * counts itself.
 *
 * <p>The argument is the folder of NVRTC 11.8. Run by {@code mvn -Pptx -pl plugin-backend-cuda -am
 * process-test-classes}.
 */
final class FieldInstructions {
  private static final Path CUDA = Path.of("src/main/cuda");
  private static final Path NATIVE = Path.of("src/test/native");
  private static final GridShape SHAPE = new GridShape(2, 3);

  private final Path folder;
  private final Path nvrtc;

  private FieldInstructions(Path folder, Path nvrtc) {
    this.folder = folder;
    this.nvrtc = nvrtc;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target/field-instructions").toAbsolutePath());
    FieldInstructions counts = new FieldInstructions(folder, Path.of(arguments[0]));
    counts.command(
        List.of(
            "g++", "-O1", "-o", folder.resolve("nvrtc").toString(), "src/build/nvrtc.cpp", "-ldl"),
        folder.resolve("log"));
    System.out.println("Instructions of a cell: by the general kernel, by one of its own");
    for (Map.Entry<String, FieldProgram> one : programs().entrySet()) {
      int[] found = counts.of(one.getValue());
      System.out.printf("%s: %d, %d%n", one.getKey(), found[0], found[1]);
    }
  }

  private static Map<String, FieldProgram> programs() {
    Map<String, FieldProgram> programs = new LinkedHashMap<>();
    try (RootAllocator root = new RootAllocator();
        SparseCells positives = TestGrids.randomCells(root, SHAPE, 0.5, 1);
        FactorModel first = TestGrids.randomModel(root, SHAPE, 1, 1);
        FactorModel second = TestGrids.randomModel(root, SHAPE, 1, 2)) {
      CellField ratings = CellField.observed(positives, 1, 0);
      CellField error = CellField.difference(ratings, CellField.score(first));
      CellField weights =
          CellField.product(
              CellField.observed(positives, 1, 0.01f),
              new Apply(new Posterior(10, 1, 11), List.of(error)));
      programs.put(
          "plain weights",
          FieldProgram.ofProduct(CellField.observed(positives, 1, 0.01f), ratings));
      programs.put("weights by posterior", FieldProgram.ofProduct(weights, ratings));
      for (int components : new int[] {2, 4}) {
        List<CellField> errors =
            IntStream.range(0, components)
                .mapToObj(
                    k ->
                        CellField.difference(ratings, CellField.score(k % 2 == 0 ? first : second)))
                .toList();
        Mixture mixture = new Mixture(Collections.nCopies(components, 1.0 / components), 0.4);
        programs.put(
            "responsibilities of " + components + " components",
            FieldProgram.of(
                IntStream.range(0, components)
                    .mapToObj(k -> (CellField) new Apply(new Responsibility(k, mixture), errors))
                    .toList()));
      }
    }
    return programs;
  }

  /** Return the instructions of one cell, by either kernel. */
  private int[] of(FieldProgram program) throws IOException, InterruptedException {
    FieldSource source = FieldSource.of(program).orElseThrow();
    String kernels = Files.readString(CUDA.resolve("pecf-kernels.cu"));
    String shared =
        kernels.substring(0, kernels.lastIndexOf("// -----", kernels.indexOf("extern \"C\"")));
    int start = kernels.indexOf("// Instructions of a field program");
    int end = kernels.indexOf("/*\n * Sum each row of a matrix in double precision");
    // Not all that kernels share is used by these two.
    String both =
        "#pragma nv_diag_suppress 177\n" + shared + kernels.substring(start, end) + source.text();
    Path file = Files.writeString(folder.resolve("kernels.cu"), both);
    Path ptx = folder.resolve("kernels.ptx");
    command(
        List.of(
            folder.resolve("nvrtc").toString(),
            nvrtc.resolve("libnvrtc.so.11.2").toString(),
            file.toString(),
            "compute_50"),
        ptx);
    String constants =
        source
            .text()
            .lines()
            .takeWhile(line -> !line.startsWith("extern"))
            .collect(Collectors.joining("\n"));
    String code =
        counted(PtxTranslator.translate(Files.readAllLines(ptx), KernelSource.signatures(both)));
    Path host =
        Files.writeString(
            folder.resolve("count.cpp"),
            "#include <cstdio>\nlong counted;\n"
                + constants
                + "\n"
                + code
                + MAIN.replace("NAME", source.name())
                    .replace("CODE", numbers(program.code()))
                    .replace("LENGTH", String.valueOf(program.length()))
                    .replace("DEPTH", String.valueOf(program.depth()))
                    .replace("CONSTANTS", bits(program.constants())));
    Path binary = folder.resolve("count");
    command(
        List.of(
            "g++",
            "-std=c++17",
            "-O0",
            "-w",
            "-ffp-contract=off",
            "-I" + NATIVE.resolve("shim"),
            "-I" + NATIVE.resolve("ptx"),
            host.toString(),
            "-o",
            binary.toString()),
        folder.resolve("log"));
    Path result = folder.resolve("result");
    command(List.of(binary.toString()), result);
    return Arrays.stream(Files.readString(result).trim().split(" "))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  /** Let every instruction count itself. */
  private static String counted(String translated) {
    Pattern statement = Pattern.compile("(ptx::|if \\(|goto |return|\\w+ = static_cast).*;");
    return translated
        .lines()
        .map(line -> statement.matcher(line).matches() ? "counted++; " + line : line)
        .collect(Collectors.joining("\n"));
  }

  private static String numbers(int[] values) {
    return Arrays.stream(values).mapToObj(String::valueOf).collect(Collectors.joining(", "));
  }

  private static String bits(float[] values) {
    List<String> texts = new ArrayList<>();
    for (float value : values) {
      texts.add(Float.toHexString(value) + "f");
    }
    return String.join(", ", texts);
  }

  private void command(List<String> command, Path output) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("LD_LIBRARY_PATH", nvrtc.toString());
    if (builder.start().waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }

  /** A thread that computes one cell, and then one that computes two: the difference is a cell. */
  private static final String MAIN =
      """

      namespace shim {
      Thread self;
      Thread *thread = &self;
      Index block, block_size = {32, 1, 1}, grid_size = {1, 1, 1};
      void *dynamic_shared;
      void barrier(int) {}
      const uint64_t *exchange(unsigned, uint64_t, int) { return nullptr; }
      }  // namespace shim

      int main() {
        static float stack[DEPTH * 32];
        shim::dynamic_shared = stack;
        static int code[] = {CODE};
        static float constants[] = {CONSTANTS};
        static float tiles[8 * 64], outputs[8 * 64], again[8 * 64];
        static unsigned marks[8] = {3, 3, 3, 3, 3, 3, 3, 3};
        for (int k = 0; k < 8 * 64; k++) tiles[k] = 0.1f + k % 7 * 0.1f;
        long results[2][2];
        for (int cells = 1; cells <= 2; cells++) {
          int columns = 32 * cells;
          counted = 0;
          evaluate_fields(code, LENGTH, constants, tiles, 64, marks, 2, nullptr, nullptr, 0, 0, 1,
                          columns, outputs, 64);
          results[0][cells - 1] = counted;
          counted = 0;
          NAME(*reinterpret_cast<Constants *>(constants), tiles, 64, marks, 2, nullptr, nullptr, 0,
               0, 1, columns, again, 64);
          results[1][cells - 1] = counted;
        }
        for (int k = 0; k < 8 * 64; k++) {
          if (outputs[k] != again[k]) {
            std::fprintf(stderr, "the kernels differ at %d\\n", k);
            return 1;
          }
        }
        std::printf("%ld %ld\\n", results[0][1] - results[0][0], results[1][1] - results[1][0]);
      }
      """;
}
