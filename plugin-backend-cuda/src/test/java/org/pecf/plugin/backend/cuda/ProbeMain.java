package org.pecf.plugin.backend.cuda;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.GridShape;

/**
 * Print whether the backend works in this process, from a class path; if so, what it computes, and
 * what it left in the temporary directory.
 */
final class ProbeMain {
  private ProbeMain() {}

  public static void main(String[] arguments) throws Exception {
    CudaBackendProvider provider = new CudaBackendProvider();
    ComputeBackend backend = provider.create(provider.options().bind("cuda", Map.of()));
    Availability availability = backend.probe();
    System.out.println(availability.available() + ": " + availability.explanation());
    System.out.println("again: " + backend.probe().equals(availability));
    if (availability.available()) {
      GridShape shape = new GridShape(3, 5);
      try (RootAllocator root = new RootAllocator()) {
        double sum =
            Sessions.cuda(
                root,
                shape,
                ComputationPath.DENSE,
                session -> session.fields().sums(List.of(CellField.constant(2)))[0]);
        System.out.println("sum: " + sum);
      }
    }
    try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      System.out.println("left: " + left.map(path -> path.getFileName().toString()).toList());
    }
  }
}
