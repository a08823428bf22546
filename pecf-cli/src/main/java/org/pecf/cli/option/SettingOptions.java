package org.pecf.cli.option;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.cli.option.RecordOptions.Repeated;

/** The settings of plugins, and a file with options. */
public record SettingOptions(
    @Option(
            value =
                "Set an option of a plugin in use; repeatable. 'pecf-run plugins describe ID' lists"
                    + " them",
            label = "ID.OPTION=VALUE")
        Repeated set,
    @Option(value = "Read options from a YAML file; the command line wins", label = "FILE")
        Optional<Path> config) {
  private static final OptionSchema<SettingOptions> SCHEMA =
      OptionSchema.of(MethodHandles.lookup(), SettingOptions.class);

  /** Return the options of a command line. */
  public static RecordOptions<SettingOptions> options() {
    return RecordOptions.of(Section.SETTINGS, SCHEMA).repeatable("set");
  }

  /** Return the settings: values by ID.OPTION. */
  public Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    for (String setting : set.values()) {
      int equals = Math.max(0, setting.indexOf('='));
      if (!setting.substring(0, equals).contains(".")) {
        throw PecfException.badOption(
            "--set %s does not name an option of a plugin. Write the plugin's id, its option and"
                + " the value, such as --set wmf.rank=50.",
            setting);
      }
      values.put(setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
    }
    return values;
  }
}
