package org.pecf.plugin.backend.cuda.field;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The source of a kernel that computes what one {@link FieldProgram} does: each instruction is a
 * line, and values are variables instead of a stack. It gives the same numbers as {@code
 * evaluate_fields} and takes the same arguments, but for the constants, which come by value in
 * place of the program: programs that differ in them share a kernel.
 *
 * @param name the kernel's name, which tells it from all others
 * @param text the kernel; it uses what is above the first kernel of the kernels' own source
 */
public record FieldSource(String name, String text) {
  /** The constants that fit among the arguments of a launch, of which there are 4,096 bytes. */
  private static final int MOST_CONSTANTS = 960;

  private static final String ZERO = "0.0f";
  private static final String ONE = "1.0f";
  private static final String INFINITE = "__uint_as_float(0x7f800000u)";

  /** Return the source for a program, unless it has too many constants. */
  public static Optional<FieldSource> of(FieldProgram program) {
    if (program.constants().length > MOST_CONSTANTS) {
      return Optional.empty();
    }
    String body = new Body(program).text();
    int constants = constants(program);
    String name = "fields_" + digest(constants + body);
    return Optional.of(
        new FieldSource(
            name,
            """
            struct Constants {
              float values[%d];
            };

            extern "C" __global__ void BLOCK_BOUNDS
                %s(Constants constants, const float *tiles, long long tileStride,
                   const unsigned *marks, long long markStride, const int *cellUsers,
                   const int *cellItems, int firstUser, int firstItem, int rows, int columns,
                   float *outputs, long long outputStride) {
              for (int row = blockIdx.y; row < rows; row += gridDim.y) {
                for (long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
                     column < columns; column += (long long)gridDim.x * blockDim.x) {
                  long long cell = (long long)row * columns + column;
            %s    }
              }
            }
            """
                .formatted(constants, name, body)));
  }

  /** Return the number of constants that the kernel of a program is given. */
  static int constants(FieldProgram program) {
    return Math.max(1, program.constants().length);
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The lines that compute one cell. */
  private static final class Body {
    private final FieldProgram program;
    private final List<String> lines = new ArrayList<>();

    /** The values on the stack, the top last: variables or numbers. */
    private final List<String> stack = new ArrayList<>();

    /** The variables that hold what is read from memory or hashed, each once for a cell. */
    private final Map<String, String> inputs = new LinkedHashMap<>();

    private int variables;

    Body(FieldProgram program) {
      this.program = program;
      int[] code = program.code();
      for (int at = 0; at < 4 * program.length(); at += 4) {
        translate(FieldOperation.of(code[at]), code[at + 1], code[at + 2], code[at + 3]);
      }
    }

    String text() {
      StringBuilder text = new StringBuilder();
      lines.forEach(line -> text.append("      ").append(line).append('\n'));
      return text.toString();
    }

    private void translate(FieldOperation operation, int a, int b, int c) {
      switch (operation) {
        case PUSH_CONSTANT -> stack.add(number(a));
        case PUSH_TILE -> stack.add(tile(a));
        case PUSH_OBSERVED -> push(marked(a) + " ? " + number(b) + " : " + number(c));
        case PUSH_PART -> stack.add(part(a));
        case COPY -> stack.add(stack.get(stack.size() - 1 - a));
        case MULTIPLY_ADD -> multiplyAdd(number(a));
        case MULTIPLY -> multiply(a);
        case POSTERIOR ->
            push(
                "posterior(%s, %s, %s, %s)"
                    .formatted(constant(a), constant(a + 1), constant(a + 2), pop()));
        case RESPONSIBILITY -> responsibility(a, b, c);
        case LOG_DENSITY -> logDensity(a, b);
        case STORE -> lines.add("outputs[%d * outputStride + cell] = %s;".formatted(a, pop()));
      }
    }

    private String pop() {
      return stack.remove(stack.size() - 1);
    }

    private void push(String expression) {
      stack.add(variable("float", expression));
    }

    private String variable(String type, String expression) {
      String name = "v" + variables++;
      lines.add("%s %s = %s;".formatted(type, name, expression));
      return name;
    }

    private static String constant(int place) {
      return "constants.values[" + place + "]";
    }

    /** Return a constant; 0 and 1 are what sums and products start with, and written as such. */
    private String number(int place) {
      float value = program.constants()[place];
      return value == 0 ? ZERO : value == 1 ? ONE : constant(place);
    }

    private String input(String key, Supplier<String> variable) {
      String known = inputs.get(key);
      if (known == null) {
        known = variable.get();
        inputs.put(key, known);
      }
      return known;
    }

    private String tile(int number) {
      return input(
          "tile " + number,
          () -> variable("float", "tiles[%d * tileStride + cell]".formatted(number)));
    }

    private String marked(int set) {
      return input(
          "marks " + set,
          () ->
              variable(
                  "bool",
                  ("marks[%d * markStride + (long long)row * words_of(columns) + column / 32]"
                          + " >> (column %% 32) & 1")
                      .formatted(set)));
    }

    private String part(int at) {
      int[] words = program.code();
      String user =
          input("user", () -> variable("int", "cellUsers ? cellUsers[column] : firstUser + row"));
      String item =
          input(
              "item",
              () -> variable("int", "cellItems ? cellItems[column] : firstItem + (int)column"));
      long seed = (long) words[at + 1] << 32 | Integer.toUnsignedLong(words[at]);
      String call =
          "in_part(0x%xull, 0x%xu, 0x%xu, %s, %s)"
              .formatted(seed, words[at + 2], words[at + 3], user, item);
      return input(call, () -> variable("float", call));
    }

    private void multiplyAdd(String factor) {
      String y = pop();
      String x = pop();
      String product = factor.equals(ONE) ? y : factor + " * " + y;
      if (!x.equals(ZERO)) {
        push(x + " + " + product);
      } else if (factor.equals(ONE)) {
        stack.add(y);
      } else {
        push(product);
      }
    }

    /** Multiply by a power; that of 0 drops the top, and there may be nothing below it. */
    private void multiply(int power) {
      String y = pop();
      if (power == 0) {
        return;
      }
      String x = pop();
      for (int k = 0; k < power; k++) {
        x = x.equals(ONE) ? y : variable("float", x + " * " + y);
      }
      stack.add(x);
    }

    /** Pop the errors of a mixture, the first one first. */
    private List<String> errors(int count) {
      List<String> top = stack.subList(stack.size() - count, stack.size());
      List<String> errors = List.copyOf(top);
      top.clear();
      return errors;
    }

    private String least(int mixture, List<String> errors) {
      String least = INFINITE;
      for (int k = 0; k < errors.size(); k++) {
        least =
            variable(
                "float",
                "lesser_square(%s, %s, %s)"
                    .formatted(least, constant(mixture + 2 + k), errors.get(k)));
      }
      return least;
    }

    private List<String> terms(int mixture, List<String> errors, String least) {
      List<String> terms = new ArrayList<>();
      for (int k = 0; k < errors.size(); k++) {
        terms.add(
            variable(
                "float",
                "component_term(%s, %s, %s, %s)"
                    .formatted(
                        constant(mixture), constant(mixture + 2 + k), errors.get(k), least)));
      }
      return terms;
    }

    private void responsibility(int mixture, int components, int component) {
      List<String> errors = errors(components);
      List<String> terms = terms(mixture, errors, least(mixture, errors));
      String sum = variable("float", String.join(" + ", terms));
      if (component == FieldOperation.ALL) {
        terms.forEach(term -> push(term + " / " + sum));
      } else {
        push(terms.get(component) + " / " + sum);
      }
    }

    private void logDensity(int mixture, int components) {
      List<String> errors = errors(components);
      String least = least(mixture, errors);
      String sum = variable("float", String.join(" + ", terms(mixture, errors, least)));
      push(
          "log_density(%s, %s, %s, %s)"
              .formatted(constant(mixture), constant(mixture + 1), sum, least));
    }
  }
}
