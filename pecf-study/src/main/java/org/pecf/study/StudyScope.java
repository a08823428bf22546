package org.pecf.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;

/**
 * The extent of a study.
 *
 * @param exhibits which tables and figures
 * @param methods which methods
 * @param seeds how many seeds, from the base's on
 * @param quick whether fewer settings are tried
 */
public record StudyScope(Set<Exhibit> exhibits, Set<Method> methods, int seeds, boolean quick) {
  public StudyScope {
    exhibits = Set.copyOf(exhibits);
    methods = Set.copyOf(methods);
    if (seeds < 1) {
      throw PecfException.badOption("A study needs at least 1 seed, not %s", seeds);
    }
  }

  /**
   * Read which exhibits and methods to restrict a study to. Naming only methods leaves all
   * exhibits, and the other way round; naming nothing leaves everything.
   */
  public static StudyScope of(List<String> names, int seeds, boolean quick) {
    Set<Exhibit> exhibits = EnumSet.noneOf(Exhibit.class);
    Set<Method> methods = EnumSet.noneOf(Method.class);
    for (String name : names) {
      Arrays.stream(Exhibit.values()).filter(e -> e.id().equals(name)).forEach(exhibits::add);
      Arrays.stream(Method.values()).filter(m -> m.id().equals(name)).forEach(methods::add);
      if (!known().contains(name)) {
        throw PecfException.badOption(
            "--only: there is no table, figure or method '%s'.%s There are: %s",
            name, Choices.suggestion(name, known()), String.join(", ", known()));
      }
    }
    return new StudyScope(
        exhibits.isEmpty() ? EnumSet.allOf(Exhibit.class) : exhibits,
        methods.isEmpty() ? EnumSet.allOf(Method.class) : methods,
        seeds,
        quick);
  }

  /** Return the names that {@link #of} takes. */
  public static List<String> known() {
    List<String> names = new ArrayList<>();
    Arrays.stream(Exhibit.values()).forEach(exhibit -> names.add(exhibit.id()));
    Arrays.stream(Method.values()).forEach(method -> names.add(method.id()));
    return names;
  }
}
