package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Take settings of plugins, and a file with options. */
@Section("Settings")
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
  Path config;

  private Map<String, String> fromFile = Map.of();

  /** Take in the settings of a file, which those of the command line override. */
  public void fromFile(Map<String, String> settings) {
    fromFile = settings;
  }

  /** Return these settings with those among the changes that name a plugin's option. */
  SettingOptions with(Map<String, String> changes) {
    SettingOptions changed = new SettingOptions();
    changed.fromFile = fromFile;
    changed.set.addAll(set);
    changes.forEach(
        (key, value) -> {
          if (key.contains(".")) {
            changed.set.add(key + "=" + value);
          }
        });
    return changed;
  }

  /** Return the settings: values by ID.OPTION. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>(fromFile);
    for (String setting : set) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw Values.bad(
            "--set "
                + setting
                + ": write the plugin's id, its option and the value, such as"
                + " --set wmf.rank=50");
      }
      values.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
    }
    return values;
  }
}
