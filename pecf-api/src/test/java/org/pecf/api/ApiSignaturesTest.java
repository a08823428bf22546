package org.pecf.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.junit.jupiter.api.Test;

/**
 * The exported signatures are those on record, so that no change of the SPI goes unnoticed.
 *
 * <p>A change that is meant is put on record by running this test with {@code
 * -Dpecf.accept.api=true}; docs/compatibility.md says when the SPI version must rise with it.
 */
class ApiSignaturesTest {
  /** What is shared and no part of the SPI. */
  private static final String SUPPORT = "org.pecf.api.support";

  private static final Path CLASSES = Path.of("target", "classes");
  private static final Path RECORD = Path.of("src", "test", "resources", "api-signatures.txt");

  @Test
  void signaturesAreThoseOnRecord() throws Exception {
    List<String> lines = new ArrayList<>();
    for (Class<?> type : exportedTypes()) {
      lines.addAll(signatures(type));
    }
    String current = String.join("\n", lines) + "\n";
    if (Boolean.getBoolean("pecf.accept.api")) {
      Files.createDirectories(RECORD.getParent());
      Files.writeString(RECORD, current);
    }
    List<String> recorded = Files.readAllLines(RECORD);
    List<String> gone = new ArrayList<>(recorded);
    gone.removeAll(lines);
    List<String> added = new ArrayList<>(lines);
    added.removeAll(recorded);
    assertTrue(
        gone.isEmpty() && added.isEmpty(),
        () ->
            "the SPI has changed.\nGone:\n  "
                + String.join("\n  ", gone)
                + "\nAdded:\n  "
                + String.join("\n  ", added)
                + "\nIf that is meant, run this test with -Dpecf.accept.api=true and see"
                + " docs/compatibility.md.");
    assertEquals(recorded.size(), lines.size());
  }

  @Test
  void everyExportedTypeSaysHowStableItIs() throws Exception {
    List<Class<?>> types = exportedTypes();
    assertFalse(types.isEmpty());
    for (Class<?> type : types) {
      if (!type.isMemberClass()) {
        assertTrue(type.isAnnotationPresent(API.class), type + " lacks @API");
      }
    }
  }

  /** Return the public types of the packages of the SPI, in order of name. */
  private static List<Class<?>> exportedTypes() throws Exception {
    ModuleDescriptor module;
    try (InputStream stream = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
      module = ModuleDescriptor.read(stream);
    }
    TreeSet<String> names = new TreeSet<>();
    for (ModuleDescriptor.Exports exported : module.exports()) {
      if (!exported.source().equals(SUPPORT)) {
        names.addAll(classNames(exported.source()));
      }
    }
    List<Class<?>> types = new ArrayList<>();
    for (String name : names) {
      Class<?> type = Class.forName(name);
      if (Modifier.isPublic(type.getModifiers())) {
        types.add(type);
      }
    }
    return types;
  }

  private static List<String> classNames(String packageName) throws IOException {
    try (Stream<Path> files = Files.list(CLASSES.resolve(packageName.replace('.', '/')))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
          .map(name -> packageName + "." + name.substring(0, name.length() - 6))
          .toList();
    }
  }

  private static List<String> signatures(Class<?> type) {
    TreeSet<String> members = new TreeSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (shown(field.getModifiers())) {
        members.add(
            modifiers(field.getModifiers()) + field.getGenericType() + " " + field.getName());
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (!method.isSynthetic() && shown(method.getModifiers())) {
        members.add(
            modifiers(method.getModifiers())
                + (method.isDefault() ? "default " : "")
                + method.getGenericReturnType()
                + " "
                + method.getName()
                + parameters(method));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (!constructor.isSynthetic() && shown(constructor.getModifiers())) {
        members.add(modifiers(constructor.getModifiers()) + "new" + parameters(constructor));
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(heading(type));
    members.forEach(member -> lines.add(type.getName() + ": " + member));
    return lines;
  }

  /** Say what a type is, in words that do not depend on the JDK. */
  private static String heading(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "annotation"
            : type.isInterface()
                ? "interface"
                : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    String heading = modifiers(type.getModifiers()) + kind + " " + type.getName();
    if (Modifier.isFinal(type.getModifiers())) {
      heading = "final " + heading;
    }
    if (type.isSealed()) {
      heading +=
          Arrays.stream(type.getPermittedSubclasses())
              .map(Class::getName)
              .sorted()
              .collect(Collectors.joining(", ", " permits ", ""));
    }
    return heading
        + Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Arrays.stream(type.getGenericInterfaces()))
            .map(Type::getTypeName)
            .collect(Collectors.joining(", ", " is ", ""));
  }

  private static boolean shown(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static String modifiers(int modifiers) {
    String text =
        Modifier.toString(
            modifiers
                & (Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.ABSTRACT));
    return text + " ";
  }

  private static String parameters(Executable executable) {
    return Arrays.stream(executable.getGenericParameterTypes())
        .map(Type::getTypeName)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
