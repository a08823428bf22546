package org.pecf.cli.option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.ShortForm;
import org.pecf.engine.request.TrainingRequest;
import picocli.CommandLine.Mixin;

/** All options of a training run. */
public final class TrainingOptions extends SchemaOptions {
  private static final Map<String, String> HEADINGS =
      Map.of(
          "data", Sections.DATA,
          "", Sections.RUN,
          "ensemble", Sections.ENSEMBLE,
          "evaluation", Sections.EVALUATION,
          "compute", Sections.COMPUTING);

  @Mixin SettingOptions settings = new SettingOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /** Create the options: those of a request, each kind of plugin followed by its short forms. */
  public TrainingOptions() {
    TrainingRequest.SCHEMA
        .groups()
        .forEach(
            (group, options) ->
                options.forEach(
                    option -> {
                      String heading = Objects.requireNonNull(HEADINGS.get(group));
                      add(heading, TrainingRequest.SCHEMA, option, false);
                      ShortForm.all().stream()
                          .filter(form -> form.kind().word().equals(option.key()))
                          .forEach(
                              form -> add(heading, form.key(), form.label(), form.description()));
                    }));
  }

  /** Return the options that were given, with the settings of plugins. */
  public RequestOptions given() {
    Map<String, String> given = new LinkedHashMap<>(texts());
    given.putAll(settings.values());
    return new RequestOptions(given);
  }

  /** Return the request that the options describe. */
  public TrainingRequest request(PluginCatalog catalog) {
    return given().request(catalog);
  }

  /** Return where results go. */
  public OutputOptions output() {
    return output;
  }

  /** Return the settings of plugins. */
  public SettingOptions settings() {
    return settings;
  }
}
