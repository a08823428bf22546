package org.pecf.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The script by which bash and zsh complete words of the command line: commands, options, and the
 * values of options that have few; file names everywhere else. The script of picocli's AutoComplete
 * tells options with values apart by their labels, of which several options share one.
 *
 * @param pages the commands, with their options
 */
record CompletionScript(List<ManualPage> pages) {
  private static final String BEGINNING =
      """
      # Completion of pecf-run for bash and zsh: source this file.
      if [ -n "${ZSH_VERSION-}" ]; then
        autoload -U +X compinit && compinit
        autoload -U +X bashcompinit && bashcompinit
      fi

      _pecf_run() {
        local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command= words= options= k
        COMPREPLY=()
        for ((k = 1; k < COMP_CWORD; k++)); do
          case "${command:+$command }${COMP_WORDS[k]}" in
      """;

  CompletionScript {
    pages = List.copyOf(pages);
  }

  /** Return the text of the script. */
  String text() {
    List<String> lines = new ArrayList<>();
    String commands =
        pages.stream()
            .map(CompletionScript::words)
            .filter(words -> !words.isEmpty())
            .map(words -> '"' + words + '"')
            .collect(Collectors.joining(" | "));
    lines.add("      " + commands + ")");
    lines.add("        command=${command:+$command }${COMP_WORDS[k]} ;;");
    lines.add("      *) break ;;");
    lines.add("    esac");
    lines.add("  done");
    lines.add("  case \"$command $previous\" in");
    for (ManualPage page : pages) {
      valued(page)
          .forEach(
              (values, options) ->
                  lines.add(
                      "    "
                          + options.stream()
                              .map(option -> '"' + words(page) + " " + option + '"')
                              .collect(Collectors.joining(" | "))
                          + ")\n      "
                          + (values.isEmpty()
                              ? ""
                              : "COMPREPLY=($(compgen -W \"" + values + "\" -- \"$word\")); ")
                          + "return ;;"));
    }
    lines.add("  esac");
    lines.add("  case \"$command\" in");
    for (ManualPage page : pages) {
      lines.add("    \"" + words(page) + "\")");
      lines.add("      words=\"" + String.join(" ", page.word().next().keySet()) + "\"");
      lines.add("      options=\"" + options(page) + "\" ;;");
    }
    lines.add("  esac");
    lines.add("  [ \"$k\" = \"$COMP_CWORD\" ] || words=");
    lines.add("  COMPREPLY=($(compgen -W \"$words $options\" -- \"$word\"))");
    lines.add("}");
    lines.add("complete -o default -F _pecf_run pecf-run");
    return BEGINNING + String.join("\n", lines) + "\n";
  }

  /** Return the words after the name of the program. */
  private static String words(ManualPage page) {
    return page.name().replaceFirst("^\\S+ ?", "");
  }

  private static String options(ManualPage page) {
    return page.parser().getCommandSpec().options().stream()
        .map(OptionSpec::longestName)
        .collect(Collectors.joining(" "));
  }

  /** Return the options that take a value, by the values to offer: none for names of files. */
  private static Map<String, List<String>> valued(ManualPage page) {
    Map<String, List<String>> valued = new TreeMap<>();
    for (OptionSpec option : page.parser().getCommandSpec().options()) {
      if (option.arity().max() > 0) {
        String values =
            option.completionCandidates() == null
                ? ""
                : StreamSupport.stream(option.completionCandidates().spliterator(), false)
                    .collect(Collectors.joining(" "));
        valued.computeIfAbsent(values, none -> new ArrayList<>()).add(option.longestName());
      }
    }
    return valued;
  }
}
