package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A section of a help text, in the order of the help: a command's own options come first. */
public enum Section {
  OWN("Options"),
  SEARCH("Search"),
  STUDY("Study"),
  DATA("Data"),
  RUN("Split and seed"),
  ENSEMBLE("Ensemble"),
  EVALUATION("Evaluation"),
  COMPUTING("Computing"),
  SETTINGS("Settings"),
  OUTPUT("Output"),
  GENERAL("General");

  private final String heading;

  Section(String heading) {
    this.heading = heading;
  }

  /** Return the heading. */
  public String heading() {
    return heading;
  }

  /** Return the options of a command by section. */
  public static Map<Section, List<OptionSpec>> of(CommandSpec command) {
    Map<Section, List<OptionSpec>> sections = new EnumMap<>(Section.class);
    for (OptionSpec option : command.options()) {
      Section section = option.userObject() instanceof Section named ? named : GENERAL;
      sections.computeIfAbsent(section, none -> new ArrayList<>()).add(option);
    }
    return sections;
  }

  /** Return the options of a command, section by section. */
  public static String render(Help help) {
    StringBuilder text = new StringBuilder();
    of(help.commandSpec())
        .forEach(
            (section, options) -> {
              Help.Layout layout = help.createDefaultLayout();
              layout.addOptions(options, help.createDefaultParamLabelRenderer());
              text.append(String.format("%n%s:%n%s", section.heading, layout));
            });
    return text.toString();
  }
}
