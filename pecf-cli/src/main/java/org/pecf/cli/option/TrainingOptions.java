package org.pecf.cli.option;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.pecf.api.plugin.OptionDescription;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.ShortForm;
import org.pecf.engine.request.TrainingRequest;

/**
 * All options of a training run.
 *
 * @param request those of a request, each kind of plugin followed by its short forms
 * @param settings those of plugins
 * @param output where results go
 */
public record TrainingOptions(
    List<RecordOptions<TrainingRequest>> request,
    RecordOptions<SettingOptions> settings,
    RecordOptions<OutputOptions> output) {
  private static final Map<String, Section> SECTIONS =
      Map.of(
          "data", Section.DATA,
          "", Section.RUN,
          "ensemble", Section.ENSEMBLE,
          "evaluation", Section.EVALUATION,
          "compute", Section.COMPUTING);

  private static final String CHOSEN = "chosen for the data by --effort, else ";

  /**
   * Return the options of a command line.
   *
   * @param chosen the keys of the options that are chosen for the data if they are not given. Not
   *     modified.
   */
  public static TrainingOptions options(Set<String> chosen) {
    List<RecordOptions<TrainingRequest>> request = new ArrayList<>();
    TrainingRequest.SCHEMA
        .groups()
        .forEach(
            (group, options) -> {
              List<OptionDescription> all = new ArrayList<>();
              for (OptionDescription option : options) {
                all.add(option);
                ShortForm.all().stream()
                    .filter(form -> form.kind().word().equals(option.key()))
                    .forEach(form -> all.add(described(form)));
              }
              all.replaceAll(
                  option ->
                      chosen.contains(option.key())
                          ? RecordOptions.unset(option, CHOSEN + RecordOptions.otherwise(option))
                          : option);
              Section section = Objects.requireNonNull(SECTIONS.get(group));
              request.add(RecordOptions.of(section, TrainingRequest.SCHEMA, all));
            });
    return new TrainingOptions(request, SettingOptions.options(), OutputOptions.options());
  }

  private static OptionDescription described(ShortForm form) {
    String own = "the " + form.kind().word() + "'s own";
    return new OptionDescription(
        form.key(), "text", form.label(), form.description(), "", own, 0, 0, List.of());
  }

  /** Return the options of all records. */
  public List<RecordOptions<?>> all() {
    List<RecordOptions<?>> all = new ArrayList<>(request);
    all.add(settings);
    all.add(output);
    return all;
  }

  /** Return the options that were given, with the settings of plugins. */
  public RequestOptions given() {
    Map<String, String> given = new LinkedHashMap<>();
    request.forEach(options -> given.putAll(options.texts()));
    given.putAll(settings.get().values());
    return new RequestOptions(given);
  }
}
