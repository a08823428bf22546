package org.pecf.cli.option;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;

/** Group the options of a help text under the headings of the classes that declare them. */
public final class Sections {
  /** What every command has; it stands last. */
  static final String GENERAL = "General";

  private Sections() {}

  /** Return the options of a command, section by section. */
  public static String render(Help help) {
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    for (OptionSpec option : help.commandSpec().options()) {
      if (!option.hidden()) {
        sections.computeIfAbsent(heading(option), name -> new ArrayList<>()).add(option);
      }
    }
    List<OptionSpec> general = sections.remove(GENERAL);
    if (general != null) {
      sections.put(GENERAL, general);
    }
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (heading, options) -> {
          Help.Layout layout = help.createDefaultLayout();
          layout.addOptions(options, help.createDefaultParamLabelRenderer());
          text.append(System.lineSeparator() + heading + ":" + System.lineSeparator() + layout);
        });
    return text.toString();
  }

  private static String heading(OptionSpec option) {
    if (option.userObject() instanceof Field field) {
      Section section = field.getDeclaringClass().getAnnotation(Section.class);
      if (section != null) {
        return section.value();
      }
    }
    return GENERAL;
  }
}
