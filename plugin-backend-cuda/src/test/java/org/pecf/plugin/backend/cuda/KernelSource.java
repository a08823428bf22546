package org.pecf.plugin.backend.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The kernels and constants in the source of the kernels. */
final class KernelSource {
  static final Path FILE = Path.of("src/main/cuda/pecf-kernels.cu");

  private static final Pattern KERNEL =
      Pattern.compile(
          "extern \"C\" __global__ void\\s+(BLOCK_BOUNDS|__launch_bounds__\\(WARP\\))\\s+"
              + "(\\w+)\\(([^)]*)\\)");

  private KernelSource() {}

  /** Return the most threads that a block of a kernel may have. */
  static Map<String, Integer> launchBounds() throws IOException {
    Map<String, Integer> bounds = new TreeMap<>();
    for (MatchResult match : matches()) {
      bounds.put(match.group(2), match.group(1).equals("BLOCK_BOUNDS") ? 256 : 32);
    }
    return bounds;
  }

  /** A parameter of a kernel. */
  record Parameter(String type, String name) {
    /** Return a parameter as C++ declares it. */
    static Parameter of(String declaration) {
      String text = declaration.trim().replaceAll("\\s+", " ");
      int name = Math.max(text.lastIndexOf(' '), text.lastIndexOf('*')) + 1;
      return new Parameter(text.substring(0, name).trim(), text.substring(name));
    }
  }

  /** Return the parameters of every kernel. */
  static Map<String, List<Parameter>> signatures() throws IOException {
    Map<String, List<Parameter>> signatures = new TreeMap<>();
    for (MatchResult match : matches()) {
      signatures.put(
          match.group(2), Stream.of(match.group(3).split(",")).map(Parameter::of).toList());
    }
    return signatures;
  }

  /** Return the numbers of the lines with a barrier. */
  static Set<Integer> barrierLines() throws IOException {
    List<String> lines = Files.readAllLines(FILE);
    Set<Integer> barriers = new TreeSet<>();
    for (int k = 0; k < lines.size(); k++) {
      if (lines.get(k).contains("__syncthreads()")) {
        barriers.add(k + 1);
      }
    }
    return barriers;
  }

  private static List<MatchResult> matches() throws IOException {
    Matcher matcher = KERNEL.matcher(Files.readString(FILE));
    return matcher.results().toList();
  }
}
