package org.pecf.study;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;

/**
 * The extent of a study.
 *
 * @param quick whether it is tried in short
 * @param seeds how many seeds, from the base's on
 * @param only the names of the tables, figures and methods to restrict it to
 * @param against the methods from which the differences of all others are tested
 * @param tuned the methods that have a setting of their own
 */
public record StudySettings(
    @Option(
            value = "Try the study in short: small filters, few rounds, few settings, one seed",
            defaultValue = "false")
        boolean quick,
    @Option(
            value = "Repeat everything with this many seeds, from the seed of the run on",
            defaultValue = "",
            unset = "3; 1 if quick",
            min = 1)
        Optional<Integer> seeds,
    @Option(
            value =
                "Only these tables and figures (recall, d, nu-sigma, rounds, alpha, em, rho) and"
                    + " methods (pecf, wmf, l2boost, ...)",
            label = "NAME,...",
            defaultValue = "")
        Optional<List<String>> only,
    @Option(
            value = "Test how all methods differ from each of these, user by user",
            label = "METHOD,...",
            defaultValue = "pecf")
        List<Method> against,
    @Option(
            value =
                "Train a method with the setting of this file, such as tune's best.yaml, instead of"
                    + " the common one; repeatable",
            label = "METHOD=FILE",
            defaultValue = "")
        Tuned tuned) {
  /** The options and their ranges. */
  public static final OptionSchema<StudySettings> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), StudySettings.class);

  private static final int USUAL_SEEDS = 3;

  /** The methods from which differences are tested unless others are named. */
  private static final List<Method> USUALLY_AGAINST = List.of(Method.PECF);

  /** The tables and figures of a study. */
  public enum Output {
    /** Table: recall of all methods. */
    RECALL,
    /** Table: influence of the latent dimension. */
    D,
    /** Table: influence of nu and sigma. */
    NU_SIGMA,
    /** Figures: recall and weighted error round by round. */
    ROUNDS,
    /** Figure: influence of alpha. */
    ALPHA,
    /** Figure: comparison with expectation maximisation. */
    EM,
    /** Figure: rho as a function of e. */
    RHO;

    /** Return the name in commands and files. */
    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * The files with settings of methods that have their own.
   *
   * @param files the file by method
   */
  public record Tuned(Map<Method, Path> files) {
    public Tuned {
      files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /** Read a line {@code METHOD=FILE} for each method. */
    public static Tuned parse(String lines) {
      Map<Method, Path> files = new LinkedHashMap<>();
      for (String text : lines.lines().toList()) {
        int equals = text.indexOf('=');
        if (equals < 1) {
          throw PecfException.badOption(
              "'%s' does not name a method and a file. Write for example wmf=search/best.yaml.",
              text);
        }
        Method method = Method.of(text.substring(0, equals).strip());
        files.put(method, Path.of(text.substring(equals + 1).strip()));
      }
      return new Tuned(files);
    }

    @Override
    public String toString() {
      return files.entrySet().stream()
          .map(entry -> entry.getKey().id() + "=" + entry.getValue())
          .collect(Collectors.joining("\n"));
    }
  }

  public StudySettings {
    against = against.stream().distinct().toList();
    List<String> known = new ArrayList<>();
    Arrays.stream(Output.values()).map(Output::id).forEach(known::add);
    Arrays.stream(Method.values()).map(Method::id).forEach(known::add);
    for (String name : only.orElse(List.of())) {
      if (!known.contains(name)) {
        throw new Choices("table, figure or method", known).unknown(name);
      }
    }
    Set<Method> methods = named(Method.class, Method::id, only);
    for (Method reference : against) {
      if (!methods.contains(reference) && !against.equals(USUALLY_AGAINST)) {
        throw PecfException.badOption(
            "Differences from %s cannot be tested, for it is not among the methods of this study."
                + " Name it with the others, or test against one of them.",
            reference.id());
      }
    }
  }

  /** Return the number of seeds. */
  public int seedCount() {
    return seeds.orElse(quick ? 1 : USUAL_SEEDS);
  }

  /** Return the tables and figures: all if none is named. */
  public Set<Output> outputs() {
    return named(Output.class, Output::id, only);
  }

  /** Return the methods: all if none is named. */
  public Set<Method> methods() {
    return named(Method.class, Method::id, only);
  }

  private static <E extends Enum<E>> Set<E> named(
      Class<E> type, Function<E, String> id, Optional<List<String>> names) {
    Set<E> named = EnumSet.allOf(type);
    named.removeIf(one -> !names.orElse(List.of()).contains(id.apply(one)));
    return named.isEmpty() ? EnumSet.allOf(type) : named;
  }
}
