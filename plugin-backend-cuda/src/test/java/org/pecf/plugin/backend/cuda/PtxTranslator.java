package org.pecf.plugin.backend.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A translator from the PTX that nvcc makes of the kernels to C++ for the shim, so that the shipped
 * PTX itself can be run where there is no device.
 *
 * <p>A kernel becomes a function with the parameters of the CUDA source, a register a variable, an
 * instruction a statement that calls {@code ptx_on_host.h}. Barriers and warp functions carry the
 * line of the PTX. An instruction that is not known ends the translation: nothing is left out.
 */
final class PtxTranslator {
  private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\(");
  private static final Pattern REGISTERS =
      Pattern.compile("\\.reg \\.(\\w+)\\s+%(\\w+)(?:<(\\d+)>)?;");
  private static final Pattern SHARED =
      Pattern.compile("\\.shared \\.align (\\d+) \\.(\\w+) (\\w+)(?:\\[(\\d+)\\])?;");
  private static final Pattern EXTERNAL =
      Pattern.compile("\\.extern \\.shared \\.align \\d+ \\.b8 (\\w+)\\[\\];");
  private static final Pattern LABEL = Pattern.compile("(\\$\\w+):");
  private static final Pattern INSTRUCTION =
      Pattern.compile("(?:@(!?)%(\\w+)\\s+)?([a-z][\\w.]*)\\s*(.*);");
  private static final Pattern ADDRESS = Pattern.compile("\\[([%\\w$]+)(?:\\+(-?\\d+))?\\]");
  private static final Map<String, String> COMPARISONS =
      Map.of("eq", "==", "ne", "!=", "lt", "<", "le", "<=", "gt", ">", "ge", ">=");
  private static final Map<String, String> OPPOSITES =
      Map.of("ne", "==", "lt", ">=", "le", ">", "gt", "<=", "ge", "<");
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("pred", "bool"),
          Map.entry("b8", "unsigned char"),
          Map.entry("b16", "uint16_t"),
          Map.entry("u16", "uint16_t"),
          Map.entry("s16", "int16_t"),
          Map.entry("b32", "uint32_t"),
          Map.entry("u32", "uint32_t"),
          Map.entry("s32", "int32_t"),
          Map.entry("b64", "uint64_t"),
          Map.entry("u64", "uint64_t"),
          Map.entry("s64", "int64_t"),
          Map.entry("f32", "float"),
          Map.entry("f64", "double"));

  private final Map<String, List<KernelSource.Parameter>> signatures;
  private final StringBuilder text = new StringBuilder();
  private String kernel = "";
  private int line;

  private PtxTranslator(Map<String, List<KernelSource.Parameter>> signatures) {
    this.signatures = signatures;
  }

  /**
   * Translate PTX.
   *
   * @param signatures the parameters of each kernel in its source
   */
  static String translate(List<String> ptx, Map<String, List<KernelSource.Parameter>> signatures) {
    return new PtxTranslator(signatures).translate(ptx);
  }

  private String translate(List<String> ptx) {
    text.append("// Made from PTX.\n#include \"ptx_on_host.h\"\n");
    text.append("#define THREADS 256\n#define WARP 32\n");
    boolean heading = false;
    for (String whole : ptx) {
      line++;
      String one = whole.replaceFirst("//.*", "").trim();
      Matcher entry = ENTRY.matcher(one);
      Matcher external = EXTERNAL.matcher(one);
      if (entry.matches()) {
        begin(entry.group(1));
        heading = true;
      } else if (external.matches()) {
        text.append("#define ").append(external.group(1)).append("_at shim::dynamic_shared\n");
      } else if (heading) {
        // Parameters and bounds are taken from the source; ShippedPtxTest compares them.
        heading = !one.equals("{");
      } else if (!kernel.isEmpty()) {
        statement(one);
      } else if (!one.isEmpty() && !one.matches("\\.(version|target|address_size) .*")) {
        throw unknown(one);
      }
    }
    return text.toString();
  }

  private void begin(String name) {
    List<KernelSource.Parameter> parameters = signatures.get(name);
    if (parameters == null) {
      throw new IllegalArgumentException("the source has no kernel " + name);
    }
    kernel = name;
    text.append("extern \"C\" void ").append(name).append('(');
    text.append(
        parameters.stream()
            .map(parameter -> parameter.type() + " " + parameter.name() + "_")
            .collect(Collectors.joining(", ")));
    text.append(") {\n");
  }

  private void statement(String one) {
    Matcher registers = REGISTERS.matcher(one);
    Matcher shared = SHARED.matcher(one);
    Matcher label = LABEL.matcher(one);
    Matcher instruction = INSTRUCTION.matcher(one);
    if (one.isEmpty() || one.startsWith(".pragma")) {
      return;
    } else if (one.equals("{") || one.equals("}")) {
      text.append(one).append('\n');
      kernel = one.equals("}") && braces() == 0 ? "" : kernel;
    } else if (registers.matches()) {
      declare(registers);
    } else if (shared.matches()) {
      // Named by the kernel, so no two kernels clash.
      int count = shared.group(4) == null ? 1 : Integer.parseInt(shared.group(4));
      text.append(
          "alignas(%s) __shared__ %s %s_at[%d];\n"
              .formatted(shared.group(1), type(shared.group(2)), shared.group(3), count));
    } else if (label.matches()) {
      text.append(name(label.group(1))).append(":;\n");
    } else if (instruction.matches()) {
      if (instruction.group(2) != null) {
        text.append("if (%s%s) ".formatted(instruction.group(1), instruction.group(2)));
      }
      List<String> parts = Arrays.asList(instruction.group(3).split("\\."));
      text.append(instruction(parts, operands(instruction.group(4)), one)).append(";\n");
    } else {
      throw unknown(one);
    }
  }

  /** Return how many braces of the present function are open. */
  private int braces() {
    int depth = 0;
    for (int at = text.lastIndexOf("extern \"C\""); at < text.length(); at++) {
      depth += text.charAt(at) == '{' ? 1 : text.charAt(at) == '}' ? -1 : 0;
    }
    return depth;
  }

  private void declare(Matcher registers) {
    String type = type(registers.group(1));
    String stem = registers.group(2);
    if (registers.group(3) == null) {
      text.append("%s %s = {};\n".formatted(type, stem));
      return;
    }
    for (int k = 0; k < Integer.parseInt(registers.group(3)); k++) {
      text.append("%s %s%d = {};\n".formatted(type, stem, k));
    }
  }

  private String instruction(List<String> parts, List<String> operands, String one) {
    String last = parts.get(parts.size() - 1);
    String rest = String.join(".", parts.subList(1, parts.size()));
    return switch (parts.get(0)) {
      case "bra" -> "goto " + name(operands.get(0));
      case "ret" -> "return";
      case "bar" -> "shim::barrier(%d)".formatted(line);
      case "ld" ->
          parts.get(1).equals("param")
              ? set(operands, as(last, parameter(operands.get(1))))
              : load(parts, last, operands);
      case "st" -> store(parts, last, operands);
      case "mov" -> move(last, operands);
      case "cvta" -> set(operands, value(operands.get(1)));
      case "add", "sub", "div", "rem", "min", "max", "neg", "abs", "fma", "sqrt" ->
          set(operands, call(parts.get(0), last, operands));
      case "mul" ->
          set(operands, call(parts.get(1).equals("wide") ? "mul_wide" : "mul", last, operands));
      case "mad" ->
          set(
              operands,
              "ptx::add<%s>(%s, %s)"
                  .formatted(
                      type(last),
                      call("mul", last, operands.subList(0, 3)),
                      as(last, value(operands.get(3)))));
      case "rcp" ->
          set(operands, call(rest.equals("approx.ftz.f64") ? "rcp_coarse" : "rcp", last, operands));
      case "and" -> set(operands, binary("&", last, operands));
      case "or" -> set(operands, binary("|", last, operands));
      case "xor" -> set(operands, binary("^", last, operands));
      case "not" ->
          set(operands, (last.equals("pred") ? "!" : "~") + as(last, value(operands.get(1))));
      case "shl", "shr" ->
          set(
              operands,
              "ptx::%s<%s>(%s, %s)"
                  .formatted(
                      parts.get(0),
                      type(last),
                      as(last, value(operands.get(1))),
                      as("u32", value(operands.get(2)))));
      case "setp" -> set(operands, compare(parts.get(1), last, operands));
      case "selp" ->
          set(
              operands,
              "(%s ? %s : %s)"
                  .formatted(
                      value(operands.get(3)),
                      as(last, value(operands.get(1))),
                      as(last, value(operands.get(2)))));
      case "cvt" -> set(operands, convert(parts, value(operands.get(1)), one));
      case "popc", "brev" -> set(operands, call(parts.get(0), last, operands));
      case "bfind" -> set(operands, call("bfind_shift", last, operands));
      case "bfe" -> set(operands, field("bfe", last, operands, 1));
      case "bfi" -> set(operands, field("bfi", last, operands, 2));
      case "atom" ->
          set(
              operands,
              "ptx::atom_%s(%s, %s)"
                  .formatted(
                      parts.get(2), address(operands.get(1)), as(last, value(operands.get(2)))));
      case "shfl" -> shuffle(parts.get(2), operands, one);
      case "vote" ->
          set(
              operands,
              "shim::ballot(%s, %s, %d)"
                  .formatted(as("u32", value(operands.get(2))), value(operands.get(1)), line));
      default -> throw unknown(one);
    };
  }

  /** Return a load of one value, or of several that follow each other. */
  private String load(List<String> parts, String type, List<String> operands) {
    if (!parts.contains("v4") && !parts.contains("v2")) {
      return set(operands, "ptx::load<%s>(%s)".formatted(type(type), address(operands.get(1))));
    }
    String targets = operands.get(0);
    return operands(targets.substring(1, targets.length() - 1)).stream()
        .map(target -> "&" + value(target))
        .collect(
            Collectors.joining(
                ", ",
                "ptx::load_vector<%s>(%s, {".formatted(type(type), address(operands.get(1))),
                "})"));
  }

  /** Return a store of one value, or of several that follow each other. */
  private String store(List<String> parts, String type, List<String> operands) {
    String target = address(operands.get(0));
    String source = operands.get(1);
    if (!parts.contains("v4") && !parts.contains("v2")) {
      return "ptx::store<%s>(%s, %s)".formatted(type(type), target, as(type, value(source)));
    }
    return operands(source.substring(1, source.length() - 1)).stream()
        .map(one -> as(type, value(one)))
        .collect(
            Collectors.joining(
                ", ", "ptx::store_vector<%s>(%s, {".formatted(type(type), target), "})"));
  }

  private String move(String type, List<String> operands) {
    String target = operands.get(0);
    String source = operands.get(1);
    if (target.startsWith("{")) {
      List<String> halves = operands(target.substring(1, target.length() - 1));
      String bits = as("u64", value(source));
      return "%s = static_cast<uint32_t>(%s), %s = static_cast<uint32_t>(%s >> 32)"
          .formatted(value(halves.get(0)), bits, value(halves.get(1)), bits);
    }
    if (source.startsWith("{")) {
      List<String> halves = operands(source.substring(1, source.length() - 1));
      return set(
          operands,
          "(%s | %s << 32)"
              .formatted(as("u64", value(halves.get(0))), as("u64", value(halves.get(1)))));
    }
    return set(operands, as(type, value(source)));
  }

  private String compare(String comparison, String type, List<String> operands) {
    String left = as(type, value(operands.get(1)));
    String right = as(type, value(operands.get(2)));
    if (comparison.equals("nan")) {
      return "(%s != %s || %s != %s)".formatted(left, left, right, right);
    }
    if (comparison.equals("num")) {
      return "(%s == %s && %s == %s)".formatted(left, left, right, right);
    }
    boolean unordered = comparison.endsWith("u");
    String stem = unordered ? comparison.substring(0, 2) : comparison;
    // Ordered "ne" is false for NaN, unlike C's; "neu" is C's.
    if (unordered) {
      return stem.equals("ne")
          ? "(%s != %s)".formatted(left, right)
          : "!(%s %s %s)".formatted(left, OPPOSITES.get(stem), right);
    }
    if (stem.equals("ne") && type.startsWith("f")) {
      return "(%s < %s || %s > %s)".formatted(left, right, left, right);
    }
    return "(%s %s %s)".formatted(left, COMPARISONS.get(stem), right);
  }

  private String convert(List<String> parts, String source, String one) {
    String to = parts.get(parts.size() - 2);
    String from = parts.get(parts.size() - 1);
    String rounding = parts.size() == 4 ? parts.get(1) : "";
    if (to.startsWith("s") && from.startsWith("f") && rounding.equals("rzi")) {
      return "ptx::truncate<%s>(%s)".formatted(type(to), as(from, source));
    }
    boolean integers = !to.startsWith("f") && !from.startsWith("f");
    if (!(integers && rounding.isEmpty())
        && !(to.startsWith("f") && (rounding.equals("rn") || to.equals("f64")))) {
      throw unknown(one);
    }
    return "static_cast<%s>(%s)".formatted(type(to), as(from, source));
  }

  private String shuffle(String mode, List<String> operands, String one) {
    List<String> targets = Arrays.asList(operands.get(0).split("\\|"));
    String function =
        switch (mode) {
          case "bfly" -> "shuffle_xor";
          case "idx" -> "shuffle";
          case "up" -> "shuffle_up";
          default -> throw unknown(one);
        };
    // The predicate says whether the source lane is one of the warp's; nothing of ours reads it.
    return set(
        targets,
        "shim::%s<uint32_t>(%s, %s, %s, %d)"
            .formatted(
                function,
                as("u32", value(operands.get(4))),
                as("u32", value(operands.get(1))),
                as("u32", value(operands.get(2))),
                line));
  }

  private String call(String function, String type, List<String> operands) {
    String arguments =
        operands.subList(1, operands.size()).stream()
            .map(operand -> as(type, value(operand)))
            .collect(Collectors.joining(", "));
    return "ptx::%s(%s)".formatted(function, arguments);
  }

  /** Return a call whose last arguments are positions and lengths. */
  private String field(String function, String type, List<String> operands, int values) {
    List<String> arguments = new ArrayList<>();
    for (int k = 1; k < operands.size(); k++) {
      arguments.add(as(k <= values ? type : "u32", value(operands.get(k))));
    }
    return "ptx::%s(%s)".formatted(function, String.join(", ", arguments));
  }

  private String binary(String operator, String type, List<String> operands) {
    return "(%s %s %s)"
        .formatted(as(type, value(operands.get(1))), operator, as(type, value(operands.get(2))));
  }

  private static String set(List<String> operands, String value) {
    return "ptx::set(%s, %s)".formatted(value(operands.get(0)), value);
  }

  private static String as(String type, String value) {
    return "ptx::as<%s>(%s)".formatted(type(type), value);
  }

  private String parameter(String operand) {
    Matcher address = ADDRESS.matcher(operand);
    String prefix = kernel + "_param_";
    if (!address.matches() || !address.group(1).startsWith(prefix)) {
      throw unknown(operand);
    }
    int number = Integer.parseInt(address.group(1).substring(prefix.length()));
    KernelSource.Parameter parameter = signatures.get(kernel).get(number);
    if (parameter.type().equals("Constants")) {
      String offset = address.group(2) == null ? "0" : address.group(2);
      return "%s_.values[%s / sizeof(float)]".formatted(parameter.name(), offset);
    }
    if (address.group(2) != null) {
      throw unknown(operand);
    }
    return parameter.type().endsWith("*")
        ? "reinterpret_cast<uint64_t>(%s_)".formatted(parameter.name())
        : parameter.name() + "_";
  }

  private String address(String operand) {
    Matcher address = ADDRESS.matcher(operand);
    if (!address.matches()) {
      throw unknown(operand);
    }
    String base = as("u64", value(address.group(1)));
    return address.group(2) == null
        ? base
        : "(%s + static_cast<uint64_t>(INT64_C(%s)))".formatted(base, address.group(2));
  }

  /** Return an operand that is read, or a register that is written. */
  private static String value(String operand) {
    if (operand.matches("%n?(tid|ctaid)\\.[xyz]")) {
      String coordinate = operand.substring(operand.length() - 2);
      return switch (operand.substring(1, operand.length() - 2)) {
            case "tid" -> "threadIdx";
            case "ctaid" -> "blockIdx";
            case "ntid" -> "blockDim";
            default -> "gridDim";
          }
          + coordinate;
    }
    if (operand.startsWith("%")) {
      return operand.substring(1);
    }
    if (operand.startsWith("0f")) {
      return "ptx::as<float>(uint32_t{0x%s})".formatted(operand.substring(2));
    }
    if (operand.startsWith("0d")) {
      return "ptx::as<double>(uint64_t{0x%sull})".formatted(operand.substring(2));
    }
    if (operand.equals("-9223372036854775808")) {
      return "INT64_MIN";
    }
    return operand.matches("-?\\d+")
        ? "INT64_C(%s)".formatted(operand)
        : "reinterpret_cast<uint64_t>(%s_at)".formatted(operand);
  }

  /** Return operands by commas that are not within braces. */
  private static List<String> operands(String text) {
    return Arrays.stream(text.split(",(?![^{]*\\})")).map(String::trim).toList();
  }

  private static String name(String label) {
    return label.replace('$', 'L');
  }

  private static String type(String name) {
    String type = TYPES.get(name);
    if (type == null) {
      throw new IllegalArgumentException("PTX has a type that is not known: " + name);
    }
    return type;
  }

  private IllegalArgumentException unknown(String one) {
    return new IllegalArgumentException("Line %d of the PTX is not known: %s".formatted(line, one));
  }
}
