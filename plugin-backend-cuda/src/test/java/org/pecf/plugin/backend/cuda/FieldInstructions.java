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
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.testkit.fixture.TestGrids;

/**
 * A count of the instructions that a cell of a field takes: the shipped PTX is run on the host,
 * where every instruction counts itself.
 *
 * <p>Run by {@code mvn -Pptx -pl plugin-backend-cuda -am process-test-classes}.
 */
final class FieldInstructions {
  private static final Path NATIVE = Path.of("src/test/native");
  private static final GridShape SHAPE = new GridShape(2, 3);

  private final Path folder;

  private FieldInstructions(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target/field-instructions").toAbsolutePath());
    FieldInstructions counts = new FieldInstructions(folder);
    System.out.println("Instructions of a cell");
    for (Map.Entry<String, CudaFieldProgram> one : programs().entrySet()) {
      System.out.println(one.getKey() + ": " + counts.of(one.getValue()));
    }
  }

  private static Map<String, CudaFieldProgram> programs() {
    Map<String, CudaFieldProgram> programs = new LinkedHashMap<>();
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
          CudaFieldProgram.ofProduct(CellField.observed(positives, 1, 0.01f), ratings));
      programs.put("weights by posterior", CudaFieldProgram.ofProduct(weights, ratings));
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
            CudaFieldProgram.of(
                IntStream.range(0, components)
                    .mapToObj(k -> (CellField) new Apply(new Responsibility(k, mixture), errors))
                    .toList()));
      }
    }
    return programs;
  }

  /** Return the instructions of one cell. */
  private String of(CudaFieldProgram program) throws IOException, InterruptedException {
    String code =
        counted(PtxTranslator.translate(ShippedPtxTest.lines(), KernelSource.signatures()));
    Path host =
        Files.writeString(
            folder.resolve("count.cpp"),
            "#include <cstdio>\nlong counted;\n"
                + code
                + MAIN.replace("CODE", numbers(program.code()))
                    .replace("LENGTH", String.valueOf(program.length()))
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
    return Files.readString(result).trim();
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
    if (builder.start().waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }

  /** A thread that computes four cells, and then one that computes eight. */
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
        static float stack[16 * 4 * 32];
        shim::dynamic_shared = stack;
        static int code[] = {CODE};
        static float constants[] = {CONSTANTS};
        static float tiles[8 * 256], outputs[8 * 256];
        static unsigned marks[64];
        for (unsigned &word : marks) word = 3;
        for (int k = 0; k < 8 * 256; k++) tiles[k] = 0.1f + k % 7 * 0.1f;
        long results[2];
        for (int times = 1; times <= 2; times++) {
          counted = 0;
          evaluate_fields(code, LENGTH, constants, tiles, 256, marks, 8, nullptr, nullptr, 0, 0, 1,
                          4 * 32 * times, outputs, 256);
          results[times - 1] = counted;
        }
        std::printf("%ld\\n", (results[1] - results[0]) / 4);
      }
      """;
}
