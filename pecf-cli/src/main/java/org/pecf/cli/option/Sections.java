package org.pecf.cli.option;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The sections of a help text: options under headings, a command's own options first. */
public final class Sections {
  static final String OWN = "Options";
  static final String SEARCH = "Search";
  static final String STUDY = "Study";
  static final String DATA = "Data";
  static final String RUN = "Split and seed";
  static final String ENSEMBLE = "Ensemble";
  static final String EVALUATION = "Evaluation";
  static final String COMPUTING = "Computing";
  static final String SETTINGS = "Settings";
  static final String OUTPUT = "Output";
  static final String GENERAL = "General";

  private static final List<String> ORDER =
      List.of(
          OWN,
          SEARCH,
          STUDY,
          DATA,
          RUN,
          ENSEMBLE,
          EVALUATION,
          COMPUTING,
          SETTINGS,
          OUTPUT,
          GENERAL);

  private Sections() {}

  /** Return the options of a command by heading, in the order of the help. */
  public static Map<String, List<OptionSpec>> of(CommandSpec command) {
    Map<String, List<OptionSpec>> sections = new TreeMap<>(Comparator.comparing(ORDER::indexOf));
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(heading(option), name -> new ArrayList<>()).add(option);
      }
    }
    return sections;
  }

  /** Return the options of a command, section by section. */
  public static String render(Help help) {
    StringBuilder text = new StringBuilder();
    of(help.commandSpec())
        .forEach(
            (heading, options) -> {
              Help.Layout layout = help.createDefaultLayout();
              layout.addOptions(options, help.createDefaultParamLabelRenderer());
              text.append(System.lineSeparator() + heading + ":" + System.lineSeparator() + layout);
            });
    return text.toString();
  }

  private static String heading(OptionSpec option) {
    if (option.userObject() instanceof String heading) {
      return heading;
    }
    if (option.userObject() instanceof Field field && !option.versionHelp()) {
      Section section = field.getDeclaringClass().getAnnotation(Section.class);
      return section == null ? OWN : section.value();
    }
    return GENERAL;
  }
}
