package org.pecf.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.run.Training;

/**
 * The signatures of PECF as a library are those on record: of the types that programs begin with,
 * and of those that they give to these and get from them.
 *
 * <p>A change that is meant is put on record by running this test with {@code
 * -Dpecf.accept.api=true}; docs/compatibility.md says what is promised.
 */
class LibrarySignaturesTest {
  private static final Path RECORD = Path.of("src", "test", "resources", "library-signatures.txt");

  @Test
  void signaturesAreThoseOnRecord() throws IOException {
    Map<String, Class<?>> types = new TreeMap<>();
    for (Class<?> start : List.of(Training.class, Recommender.class)) {
      types.put(start.getName(), start);
      executables(start)
          .flatMap(LibrarySignaturesTest::named)
          .filter(type -> type.getName().startsWith("org.pecf.engine."))
          .forEach(type -> types.put(type.getName(), type));
    }
    TreeSet<String> current = new TreeSet<>();
    for (Class<?> type : types.values()) {
      current.add(type.toString());
      executables(type).forEach(one -> current.add(type.getName() + ": " + one.toGenericString()));
    }
    if (Boolean.getBoolean("pecf.accept.api")) {
      Files.createDirectories(RECORD.getParent());
      Files.write(RECORD, current);
    }
    List<String> gone = new ArrayList<>(Files.readAllLines(RECORD));
    gone.removeAll(current);
    List<String> added = new ArrayList<>(current);
    added.removeAll(Files.readAllLines(RECORD));
    assertTrue(
        gone.isEmpty() && added.isEmpty(),
        () ->
            "PECF as a library has changed.\nGone:\n  "
                + String.join("\n  ", gone)
                + "\nAdded:\n  "
                + String.join("\n  ", added)
                + "\nIf that is meant, run this test with -Dpecf.accept.api=true and see"
                + " docs/compatibility.md.");
  }

  private static Stream<Executable> executables(Class<?> type) {
    return Stream.<Executable>concat(
            Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
        .filter(one -> Modifier.isPublic(one.getModifiers()) && !one.isSynthetic());
  }

  /** Return the types in the signature of a method, with those that lists and the like are of. */
  private static Stream<Class<?>> named(Executable executable) {
    return Stream.of(executable.toGenericString().split("[^\\w.$]+"))
        .filter(word -> word.startsWith("org.pecf.engine."))
        .flatMap(
            word -> {
              try {
                return Stream.<Class<?>>of(Class.forName(word));
              } catch (ClassNotFoundException e) {
                // The name of the method, after that of its class.
                return Stream.empty();
              }
            });
  }
}
