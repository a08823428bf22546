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
 * @param outputs which tables and figures
 * @param methods which methods
 * @param seeds how many seeds, from the base's on
 * @param quick whether fewer settings are tried
 * @param against the methods from which the differences of all others are tested
 */
public record StudyScope(
    Set<StudyOutput> outputs, Set<Method> methods, int seeds, boolean quick, List<Method> against) {
  /** The methods from which differences are tested unless others are named. */
  static final List<Method> USUALLY_AGAINST = List.of(Method.PECF);

  public StudyScope {
    outputs = Set.copyOf(outputs);
    methods = Set.copyOf(methods);
    against = against.stream().distinct().toList();
    if (seeds < 1) {
      throw PecfException.badOption("A study needs at least 1 seed, not %s", seeds);
    }
    for (Method reference : against) {
      if (!methods.contains(reference) && !against.equals(USUALLY_AGAINST)) {
        throw PecfException.badOption(
            "Differences from %s cannot be tested, for it is not among the methods of this study."
                + " Name it with the others, or test against one of them.",
            reference.id());
      }
    }
  }

  /** State the extent of a study that tests differences from PECF. */
  public StudyScope(Set<StudyOutput> outputs, Set<Method> methods, int seeds, boolean quick) {
    this(outputs, methods, seeds, quick, USUALLY_AGAINST);
  }

  /** Return this extent with differences from other methods. */
  StudyScope withAgainst(List<Method> references) {
    return new StudyScope(outputs, methods, seeds, quick, references);
  }

  /**
   * Read which outputs and methods to restrict a study to. Naming only methods leaves all outputs,
   * and the other way round; naming nothing leaves everything.
   */
  public static StudyScope of(List<String> names, int seeds, boolean quick) {
    Set<StudyOutput> outputs = EnumSet.noneOf(StudyOutput.class);
    Set<Method> methods = EnumSet.noneOf(Method.class);
    for (String name : names) {
      Arrays.stream(StudyOutput.values()).filter(e -> e.id().equals(name)).forEach(outputs::add);
      Arrays.stream(Method.values()).filter(m -> m.id().equals(name)).forEach(methods::add);
      if (!known().contains(name)) {
        throw new Choices("table, figure or method", known()).unknown(name);
      }
    }
    return new StudyScope(
        outputs.isEmpty() ? EnumSet.allOf(StudyOutput.class) : outputs,
        methods.isEmpty() ? EnumSet.allOf(Method.class) : methods,
        seeds,
        quick);
  }

  /** Return the names that {@link #of} takes. */
  public static List<String> known() {
    List<String> names = new ArrayList<>();
    Arrays.stream(StudyOutput.values()).forEach(output -> names.add(output.id()));
    Arrays.stream(Method.values()).forEach(method -> names.add(method.id()));
    return names;
  }
}
