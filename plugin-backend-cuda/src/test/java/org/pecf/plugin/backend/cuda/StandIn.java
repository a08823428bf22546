package org.pecf.plugin.backend.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A stand-in for the NVIDIA driver and cuBLAS: libraries of the same names, built from {@code
 * src/test/native}, that the unmodified JCuda loads. They run the kernels' own source, compiled for
 * this processor, and OpenBLAS.
 */
final class StandIn {
  private static final Path NATIVE = Path.of("src/test/native");
  private static final Path CUDA = Path.of("src/main/cuda");
  private static final Path TARGET = Path.of("target/standin");
  private static final String NOT_SUPPORTED = "801";

  private StandIn() {}

  /** What can be made to fail. */
  enum Failure {
    /** Allocating device memory: there is none left. */
    ALLOCATION,
    /** Launching a kernel: there is no memory left for it. */
    LAUNCH,
    /** Running what was launched: the device is broken from then on. */
    EXECUTION,
    /** A product of matrices: there is no memory left for it. */
    PRODUCT
  }

  /** What the stand-in counts. */
  enum Count {
    ALLOCATIONS,
    PINNED_RANGES,
    STREAMS,
    EVENTS,
    CONTEXTS,
    MODULES,
    HANDLES,
    WRONG_FREES,
    LAUNCHES,
    MATH_MODE,
    MOST_BYTES,
    COPIED_IN,
    COPIED_OUT,
    PRODUCTS,
    ALL_ALLOCATIONS
  }

  private static final class Loaded {
    static final Optional<String> PROBLEM = load();

    private static Optional<String> load() {
      Optional<String> problem = buildProblem();
      if (problem.isEmpty()) {
        // By these names JCuda's libraries find them: a library that is loaded is not looked for.
        for (String name : List.of("libcuda.so.1", "libcublas.so.12")) {
          System.load(TARGET.resolve(name).toAbsolutePath().toString());
        }
      }
      return problem;
    }
  }

  private static final class Built {
    static final Optional<String> PROBLEM = build();
  }

  /** Build and load the stand-in; return why that cannot be done here. */
  static Optional<String> problem() {
    return Loaded.PROBLEM;
  }

  /** Build the stand-in without loading it; return why that cannot be done here. */
  static Optional<String> buildProblem() {
    return Built.PROBLEM;
  }

  /** Return the folder with the libraries, for other processes. */
  static Path folder() {
    return TARGET.toAbsolutePath();
  }

  /** Let a kind of call fail once, after a number of calls that do not; none if negative. */
  static void failAfter(Failure failure, long calls) {
    failAfter(failure.ordinal(), calls);
  }

  /** Let nothing fail from now on. */
  static void failNever() {
    for (Failure failure : Failure.values()) {
      failAfter(failure, -1);
    }
  }

  /** Return what was counted. */
  static long count(Count what) {
    return count(what.ordinal());
  }

  private static native void failAfter(int kind, long calls);

  /** Forget what was given back twice. */
  static native void forgetWrongFrees();

  /** Count the largest use of memory from now on. */
  static native void forgetMostBytes();

  /** Set the memory of the device; 0 for as much as there usually is. */
  static native void setCapacity(long bytes);

  /** Set whether other streams run ahead of the one that is waited for, or as late as possible. */
  static native void setOthersFirst(boolean value);

  /** Set whether streams take turns after each piece of work. */
  static native void setInTurns(boolean value);

  /** Set whether memory of the host may be pinned. */
  static native void setPinning(boolean value);

  /** Set the version that cuBLAS says it has; usually 120600. */
  static native void setCublasVersion(int version);

  /** Set the order in which the threads of a block run. */
  static native void setOrder(int order);

  private static native long count(int what);

  /** Return what is live that a closed session should have given back, or was given back twice. */
  static List<String> leaks() {
    List<String> leaks = new ArrayList<>();
    for (Count count :
        List.of(
            Count.ALLOCATIONS,
            Count.PINNED_RANGES,
            Count.STREAMS,
            Count.EVENTS,
            Count.CONTEXTS,
            Count.MODULES,
            Count.HANDLES,
            Count.WRONG_FREES)) {
      if (count(count) != 0) {
        leaks.add(count + ": " + count(count));
      }
    }
    return leaks;
  }

  private static Optional<String> build() {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      return Optional.of("the stand-in for CUDA is built on Linux on x86-64 only");
    }
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      return obstacle;
    }
    try {
      Files.createDirectories(TARGET);
      String state = state();
      Path stamp = TARGET.resolve("built-from");
      if (!Files.exists(stamp) || !Files.readString(stamp).equals(state)) {
        buildLibraries();
        Files.writeString(stamp, state);
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Build a library of nothing: having a compiler does not mean that it and the rest work. */
  private static Optional<String> obstacle() {
    try {
      Path folder = Files.createDirectories(TARGET.resolve("trial"));
      Path source = Files.writeString(folder.resolve("trial.cpp"), "int trial() { return 0; }\n");
      Path library = folder.resolve("libtrial.so");
      for (List<String> command :
          List.of(
              List.of("g++", "-shared", "-fPIC", source.toString(), "-o", library.toString()),
              List.of("nm", "-D", library.toString()))) {
        if (run(command) != 0) {
          return Optional.of(
              "the stand-in for CUDA cannot be built, "
                  + command.get(0)
                  + " fails: "
                  + Files.readString(TARGET.resolve("output"))
                      .lines()
                      .findFirst()
                      .orElse("no reason given"));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("there is no g++ to build the stand-in for CUDA with: " + e.getMessage());
    }
  }

  private static String state() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path folder :
        List.of(
            NATIVE.resolve("standin"), NATIVE.resolve("shim"), NATIVE.resolve("kernels"), CUDA)) {
      try (Stream<Path> files = Files.list(folder)) {
        sources.addAll(files.sorted().toList());
      }
    }
    sources.add(Path.of("src/test/java/org/pecf/plugin/backend/cuda/StandIn.java"));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path source : sources) {
        digest.update(source.toString().getBytes(StandardCharsets.UTF_8));
        digest.update(Files.readAllBytes(source));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void buildLibraries() throws IOException {
    for (String library :
        List.of("libopenblas.so.0", "libgfortran.so.5", "libquadmath.so.0", "libgcc_s.so.1")) {
      copy("org/bytedeco/openblas/linux-x86_64/" + library, TARGET.resolve(library));
    }
    library(
        "cuda.so.1",
        "JCudaDriver",
        NOT_SUPPORTED,
        List.of(
            NATIVE.resolve("standin/device.cpp"),
            NATIVE.resolve("shim/shim.cpp"),
            NATIVE.resolve("kernels/kernel_table.cpp")),
        // Most of the time of the tests is spent here.
        List.of("-O2"));
    library(
        "cublas.so.12",
        "JCublas2",
        "15",
        List.of(NATIVE.resolve("standin/cublas.cpp")),
        List.of("-l:libcuda.so.1", "-l:libopenblas.so.0"));
  }

  private static void library(
      String stem, String caller, String notSupported, List<Path> sources, List<String> options)
      throws IOException {
    String name = "lib" + stem;
    List<String> command =
        new ArrayList<>(
            List.of(
                "g++",
                "-shared",
                "-fPIC",
                "-std=c++17",
                "-O1",
                "-ffp-contract=off",
                // What a library defines it calls directly.
                "-fno-semantic-interposition",
                "-Wl,-Bsymbolic",
                "-w",
                "-I" + NATIVE.resolve("shim"),
                "-I" + NATIVE.resolve("standin"),
                "-I" + CUDA,
                "-Wl,-soname," + name,
                "-Wl,-rpath,$ORIGIN"));
    command.add("-Wl,--version-script=" + versionScript(name));
    sources.forEach(source -> command.add(source.toString()));
    command.add(stubs(stem, caller, notSupported).toString());
    command.add("-L" + TARGET);
    command.addAll(options);
    command.addAll(List.of("-o", TARGET.resolve(name).toString()));
    succeed(command);
  }

  private static void succeed(List<String> command) throws IOException {
    if (run(command) != 0) {
      throw new IOException(
          String.join(" ", command) + " failed:\n" + Files.readString(TARGET.resolve("output")));
    }
  }

  /** JCuda's libraries ask for cuBLAS by version. */
  private static Path versionScript(String name) throws IOException {
    Path script = TARGET.resolve(name + ".map");
    Files.writeString(
        script, name.startsWith("libcuda") ? "{ global: *; };\n" : name + " { global: *; };\n");
    return script;
  }

  /** Let every function that JCuda's library may call say that it is not supported. */
  private static Path stubs(String stem, String caller, String notSupported) throws IOException {
    Path jni = TARGET.resolve("lib" + caller + ".so");
    copy("lib/lib" + caller + "-12.6.0-linux-x86_64.so", jni);
    if (run(List.of("nm", "-D", "--undefined-only", jni.toString())) != 0) {
      throw new IOException("nm cannot read " + jni);
    }
    TreeSet<String> names = new TreeSet<>();
    for (String line : Files.readAllLines(TARGET.resolve("output"))) {
      String symbol = line.trim().replaceFirst("^\\S+\\s+", "").replaceFirst("@.*", "");
      if (symbol.startsWith("cu")) {
        names.add(symbol);
      }
    }
    Files.delete(jni);
    StringBuilder text = new StringBuilder("// Generated.\nextern \"C\" {\n");
    names.forEach(
        name ->
            text.append("__attribute__((weak)) int ")
                .append(name)
                .append("() { return ")
                .append(notSupported)
                .append("; }\n"));
    Path stubs = TARGET.resolve(stem + "-stubs.cpp");
    Files.writeString(stubs, text.append("}\n"));
    return stubs;
  }

  private static void copy(String resource, Path target) throws IOException {
    try (InputStream content = StandIn.class.getClassLoader().getResourceAsStream(resource)) {
      if (content == null) {
        throw new IOException("there is no " + resource + " on the class path");
      }
      Files.copy(content, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static int run(List<String> command) throws IOException {
    Files.createDirectories(TARGET);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(TARGET.resolve("output").toFile())
            .start();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
