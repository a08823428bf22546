package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import picocli.CommandLine.Option;

/** The settings of plugins, and a file with options. */
@Section(Sections.SETTINGS)
public final class SettingOptions {
  @Option(
      names = "--set",
      paramLabel = "ID.OPTION=VALUE",
      description =
          "Set an option of a plugin in use; repeatable. 'pecf-run plugins describe ID' lists"
              + " them.")
  List<String> set = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Read options from a YAML file; the command line wins.")
  @Nullable Path config;

  private Map<String, String> fromFile = Map.of();

  /** Take in the settings of a file, which those of the command line override. */
  public void fromFile(Map<String, String> settings) {
    fromFile = settings;
  }

  /** Return the settings: values by ID.OPTION. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>(fromFile);
    for (String setting : set) {
      int equals = Math.max(0, setting.indexOf('='));
      values.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
      if (!setting.substring(0, equals).contains(".")) {
        throw PecfException.badOption(
            "--set %s does not name an option of a plugin. Write the plugin's id, its option and"
                + " the value, such as --set wmf.rank=50.",
            setting);
      }
    }
    return values;
  }
}
