package org.pecf.plugin.backend.cuda;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Compile native tests by g++ with address and undefined-behaviour sanitizers, and run them.
 *
 * <p>What is watched are the kernels and the shim; tests that only prepare and compare are compiled
 * plainly. Nothing is compiled again unless a source has changed.
 */
final class NativeProgram {
  private static final Path NATIVE = Path.of("src/test/native");
  private static final Path CUDA = Path.of("src/main/cuda");
  private static final Path TARGET = Path.of("target/native-tests");
  private static final String KERNEL_TABLE = "kernels/kernel_table.cpp";
  private static final List<String> PLAIN =
      List.of(
          "-std=c++17",
          "-g1",
          "-ffp-contract=off",
          "-Wall",
          "-Wextra",
          "-I" + NATIVE.resolve("shim"),
          "-I" + NATIVE.resolve("kernels"),
          "-I" + NATIVE.resolve("ptx"),
          "-I" + CUDA);
  private static final List<String> WATCHED =
      List.of(
          "-O1",
          "-fsanitize=address,undefined",
          "-fno-sanitize-recover=all",
          "-fsanitize-sections=pecf_shared");

  private final String name;
  private final List<String> watched;
  private final List<String> plain;
  private final String kernels;

  /**
   * Name a program.
   *
   * @param watched sources to compile with sanitizers, within {@code src/test/native}
   * @param plain other sources
   */
  NativeProgram(String name, List<String> watched, List<String> plain) {
    this(name, watched, plain, "");
  }

  private NativeProgram(String name, List<String> watched, List<String> plain, String kernels) {
    this.name = name;
    this.watched = watched;
    this.plain = plain;
    this.kernels = kernels;
  }

  /**
   * Return this program with other kernels in place of those of the source.
   *
   * @param label a name for them
   * @param code C++ that defines every kernel
   */
  NativeProgram with(String label, String code) {
    String version = "%08x".formatted(code.hashCode());
    return new NativeProgram(name + "-" + label + "-" + version, watched, plain, code);
  }

  /** What a program did. */
  record Result(int exitCode, String output) {}

  /** Return why native tests cannot be run here, if so: found by compiling and running a little. */
  static Optional<String> obstacle() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of("the kernels are run on the host on Linux only");
    }
    try {
      Path folder = Files.createDirectories(TARGET.resolve("trial"));
      Path source = Files.writeString(folder.resolve("trial.cpp"), "int main() { return 0; }\n");
      Path program = folder.resolve("trial");
      List<String> command = new ArrayList<>(List.of("g++"));
      command.addAll(PLAIN);
      command.addAll(WATCHED);
      command.addAll(List.of(source.toString(), "-o", program.toString()));
      for (List<String> step : List.of(command, List.of(program.toString()))) {
        Path output = folder.resolve("output");
        if (finish(start(step, output)) != 0) {
          return Optional.of(
              "g++ and its sanitizers do not work here: "
                  + Files.readString(output).lines().findFirst().orElse("no reason given"));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "there is no g++ to compile the kernels for the host with: " + e.getMessage());
    }
  }

  /** Compile the program if need be, and run it. */
  Result run(String... arguments) throws IOException {
    Path folder = Files.createDirectories(TARGET.resolve(state()));
    Path program = folder.resolve(name);
    if (!Files.exists(program)) {
      build(folder, program);
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve(name + "-output");
    int exitCode = finish(start(command, output));
    return new Result(exitCode, Files.readString(output));
  }

  private void build(Path folder, Path program) throws IOException {
    List<List<String>> commands = new ArrayList<>();
    List<String> link = new ArrayList<>(List.of("g++"));
    link.addAll(options());
    // The longest first.
    for (String source : watched) {
      link.add(
          !kernels.isEmpty() && source.equals(KERNEL_TABLE)
              ? compileKernels(folder, commands)
              : compile(source, folder, commands));
    }
    if (!plain.isEmpty()) {
      link.add(compilePlain(folder, commands));
    }
    runAll(commands, folder);
    link.addAll(List.of("-o", program.toString()));
    runAll(List.of(link), folder);
  }

  /** Return the options of watched sources: other kernels are not watched, nor what runs them. */
  private List<String> options() {
    return kernels.isEmpty() ? WATCHED : List.of("-O1");
  }

  private String compileKernels(Path folder, List<List<String>> commands) throws IOException {
    Path code = Files.writeString(folder.resolve(name + ".inc"), kernels);
    Path object = folder.resolve(name + ".o");
    List<String> command = new ArrayList<>(List.of("g++"));
    command.addAll(PLAIN);
    command.addAll(
        List.of(
            "-O1",
            "-w",
            "-DPECF_KERNELS=\"" + code.toAbsolutePath() + "\"",
            "-c",
            NATIVE.resolve(KERNEL_TABLE).toString(),
            "-o",
            object.toString()));
    commands.add(command);
    return object.toString();
  }

  /** Add what compiles the plain sources, as one: most of the time goes to headers. */
  private String compilePlain(Path folder, List<List<String>> commands) throws IOException {
    String stem = "plain-%08x".formatted(plain.hashCode());
    Path all = folder.resolve(stem + ".cpp");
    Path object = folder.resolve(stem + ".o");
    if (!Files.exists(object)) {
      StringBuilder text = new StringBuilder();
      for (String source : plain) {
        text.append("#include \"").append(NATIVE.resolve(source).toAbsolutePath()).append("\"\n");
      }
      Files.writeString(all, text);
      List<String> command = new ArrayList<>(List.of("g++"));
      command.addAll(PLAIN);
      command.addAll(List.of("-O0", "-c", all.toString(), "-o", object.toString()));
      commands.add(command);
    }
    return object.toString();
  }

  /**
   * Add what compiles a watched source, unless another program has compiled it; return the object.
   */
  private String compile(String source, Path folder, List<List<String>> commands) {
    String kind = kernels.isEmpty() ? "watched-" : "unwatched-";
    Path object = folder.resolve(kind + source.replace('/', '-') + ".o");
    if (!Files.exists(object)) {
      List<String> command = new ArrayList<>(List.of("g++"));
      command.addAll(PLAIN);
      command.addAll(options());
      command.addAll(List.of("-c", NATIVE.resolve(source).toString(), "-o", object.toString()));
      commands.add(command);
    }
    return object.toString();
  }

  /** Run commands that do not depend on each other, as many at once as there are processors. */
  private static void runAll(List<List<String>> commands, Path folder) throws IOException {
    int atOnce = Runtime.getRuntime().availableProcessors();
    Deque<Process> running = new ArrayDeque<>();
    List<Integer> codes = new ArrayList<>();
    for (int k = 0; k < commands.size(); k++) {
      if (running.size() == atOnce) {
        codes.add(finish(running.remove()));
      }
      running.add(start(commands.get(k), folder.resolve("command" + k)));
    }
    while (!running.isEmpty()) {
      codes.add(finish(running.remove()));
    }
    for (int k = 0; k < codes.size(); k++) {
      if (codes.get(k) != 0) {
        throw new IOException(
            String.join(" ", commands.get(k))
                + " failed:\n"
                + Files.readString(folder.resolve("command" + k)));
      }
    }
  }

  /** Return what programs are made from, in short: the name of the folder that they are in. */
  private static String state() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((PLAIN + " " + WATCHED).getBytes(StandardCharsets.UTF_8));
      for (Path folder :
          List.of(NATIVE.resolve("shim"), NATIVE.resolve("kernels"), NATIVE.resolve("ptx"), CUDA)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.sorted().toList()) {
            digest.update(file.toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
          }
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Process start(List<String> command, Path output) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private static int finish(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
