package org.pecf.cli.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.PluginReport;

/**
 * The code that keeps a thread busy, in words: the plugin that it belongs to, if it belongs to one,
 * and its place.
 *
 * @param plugin where the plugin is, if it is one
 * @param place the class and method
 */
record UnresponsiveCode(Optional<String> plugin, String place) {
  private static final String OURS = "org.pecf.";
  private static final String WORKER = "pecf-worker-";

  /**
   * Find the code that keeps a command busy: of its own thread, or of the workers that it waits
   * for.
   *
   * @param command the thread of the command
   * @param catalog the plugins, if they are loaded
   */
  static UnresponsiveCode of(Thread command, Optional<PluginCatalog> catalog) {
    List<Thread> threads = new ArrayList<>(List.of(command));
    Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
    stacks.keySet().stream()
        .filter(thread -> thread.getName().startsWith(WORKER))
        .forEach(threads::add);
    for (Thread thread : threads) {
      StackTraceElement[] stack = stacks.getOrDefault(thread, new StackTraceElement[0]);
      Optional<PluginReport> owner = catalog.flatMap(plugins -> plugins.owner(thread, stack));
      if (owner.isPresent()) {
        return new UnresponsiveCode(
            owner.map(PluginReport::location), place(stack, owner.get().module().orElse("")));
      }
    }
    return new UnresponsiveCode(
        Optional.empty(), place(stacks.getOrDefault(command, new StackTraceElement[0]), ""));
  }

  /** Return the innermost place in a module, or else in code of ours. */
  private static String place(StackTraceElement[] stack, String module) {
    return Arrays.stream(stack)
        .filter(
            element ->
                module.isEmpty()
                    ? element.getClassName().startsWith(OURS)
                    : module.equals(element.getModuleName()))
        .findFirst()
        .or(() -> Arrays.stream(stack).findFirst())
        .map(element -> element.getClassName() + "." + element.getMethodName())
        .orElse("native code");
  }

  @Override
  public String toString() {
    return plugin.map(where -> where + " (in " + place + ")").orElse(place);
  }
}
