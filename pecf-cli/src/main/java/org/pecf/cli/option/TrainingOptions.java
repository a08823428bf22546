package org.pecf.cli.option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  private static final String CHOSEN = "chosen for the data by --effort, else ";

  @Mixin SettingOptions settings = new SettingOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /** Create the options of trainings for which nothing is chosen. */
  public TrainingOptions() {
    this(Set.of());
  }

  /**
   * Create the options: those of a request, each kind of plugin followed by its short forms.
   *
   * @param chosen the keys of the options that are chosen for the data if they are not given. Not
   *     modified.
   */
  public TrainingOptions(Set<String> chosen) {
    TrainingRequest.SCHEMA
        .groups()
        .forEach(
            (group, options) ->
                options.forEach(
                    option -> {
                      String heading = Objects.requireNonNull(HEADINGS.get(group));
                      add(
                          heading,
                          TrainingRequest.SCHEMA,
                          chosen.contains(option.key())
                              ? otherwise(option, CHOSEN + otherwise(option))
                              : option,
                          false);
                      ShortForm.all().stream()
                          .filter(form -> form.kind().word().equals(option.key()))
                          .forEach(
                              form ->
                                  add(
                                      heading,
                                      form.key(),
                                      form.label(),
                                      form.description()
                                          + " (default: "
                                          + (chosen.contains(form.key()) ? CHOSEN : "")
                                          + "the "
                                          + form.kind().word()
                                          + "'s own)"));
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
}
