package org.pecf.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.pecf.cli.console.Version;
import org.pecf.cli.option.Section;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The page of a command for man, in the language of roff; picocli's ManPageGenerator writes
 * AsciiDoc, which needs another program to become one.
 *
 * @param command the command, with those that may follow it
 */
record ManualPage(CommandLine command) {
  /** Return the name of the file: pecf-run-data-describe.1. */
  String file() {
    return title() + ".1";
  }

  /** Return the text of the file. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(
        ".TH %s 1 \"\" \"PECF %s\" \"PECF\""
            .formatted(plain(title().toUpperCase(Locale.ROOT)), Version.number()));
    heading(lines, "NAME");
    lines.add(plain(title()) + " \\- " + plain(firstSentence()));
    heading(lines, "SYNOPSIS");
    synopsis(lines);
    heading(lines, "DESCRIPTION");
    lines.add(plain(description()));
    if (!command.getSubcommands().isEmpty()) {
      heading(lines, "COMMANDS");
      for (CommandLine next : command.getSubcommands().values()) {
        ManualPage page = new ManualPage(next);
        term(lines, bold(page.title()) + "(1)", page.description());
      }
    }
    heading(lines, "OPTIONS");
    for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
      term(lines, italic(parameter.paramLabel()), String.join(" ", parameter.description()));
    }
    Section.of(command.getCommandSpec())
        .forEach(
            (section, options) -> {
              lines.add(".SS " + plain(section.heading()));
              options.forEach(option -> term(lines, names(option), described(option)));
            });
    footer(lines);
    return String.join("\n", lines) + "\n";
  }

  private void synopsis(List<String> lines) {
    String parameters =
        command.getCommandSpec().positionalParameters().stream()
            .map(parameter -> " " + italic(parameter.paramLabel()))
            .collect(Collectors.joining());
    lines.add(bold(command.getCommandName()) + " [" + italic("OPTIONS") + "]" + parameters);
    if (!command.getSubcommands().isEmpty()) {
      lines.add(".br");
      lines.add(
          bold(command.getCommandName())
              + " "
              + italic("COMMAND")
              + " ["
              + italic("OPTIONS")
              + "]");
    }
  }

  private static void footer(List<String> lines) {
    heading(lines, "EXIT STATUS");
    term(lines, "0", "Success.");
    term(
        lines, "2", "A wrong option, bad input or too little memory; the message says what to do.");
    term(lines, "3", "A plugin, a backend or Java itself is not available.");
    term(lines, "130", "Interrupted.");
    term(lines, "1", "A defect of PECF.");
    heading(lines, "ENVIRONMENT");
    term(lines, bold("JAVA_HOME"), "The Java that runs PECF.");
    term(lines, bold("PECF_JAVA_OPTS"), "More options for it, such as -Xmx8g.");
    term(lines, bold("NO_COLOR"), "If set, nothing is printed in bold or colour.");
    term(lines, bold("COLUMNS"), "How wide tables are at most where no terminal says so.");
  }

  private String description() {
    return String.join(" ", command.getCommandSpec().usageMessage().description())
        .replace("%n", "")
        .strip();
  }

  private String firstSentence() {
    return description().replaceFirst("(?s)[.:,] .*", "").replaceFirst("\\.$", "");
  }

  private static String names(OptionSpec option) {
    String names =
        Arrays.stream(option.names()).map(ManualPage::bold).collect(Collectors.joining(", "));
    return option.arity().max() == 0 || option.paramLabel().isEmpty()
        ? names
        : names + "=" + italic(option.paramLabel());
  }

  private static String described(OptionSpec option) {
    return String.join(" ", option.description())
        .replace("${DEFAULT-VALUE}", String.valueOf(option.defaultValue()))
        .replace("%%", "%");
  }

  private static void heading(List<String> lines, String heading) {
    lines.add(".SH " + heading);
  }

  private static void term(List<String> lines, String term, String text) {
    lines.add(".TP");
    lines.add(term);
    lines.add(plain(text));
  }

  private String title() {
    return command.getCommandName().replace(' ', '-');
  }

  private static String bold(String text) {
    return "\\fB" + plain(text) + "\\fR";
  }

  private static String italic(String text) {
    return "\\fI" + plain(text) + "\\fR";
  }

  /** Escape a text so that roff prints it as it is. */
  private static String plain(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    return escaped.startsWith(".") ? "\\&" + escaped : escaped;
  }
}
