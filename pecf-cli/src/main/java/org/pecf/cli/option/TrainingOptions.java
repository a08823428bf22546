package org.pecf.cli.option;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.split.SplitRule;
import org.pecf.study.Method;
import org.pecf.study.ProtocolStudy;
import org.pecf.study.StudyBase;
import picocli.CommandLine.Mixin;

/** Take all options of a training run, and say what they ask for. */
public final class TrainingOptions {
  @Mixin DataOptions data = new DataOptions();
  @Mixin EnsembleOptions ensemble = new EnsembleOptions();
  @Mixin EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin ComputeOptions compute = new ComputeOptions();
  @Mixin SettingOptions settings = new SettingOptions();
  @Mixin OutputOptions output = new OutputOptions();

  /**
   * Read options from a file as {@link #configuration} writes it.
   *
   * @throws org.pecf.api.PecfException if it cannot be read or gives what is no option of training,
   *     naming the file and the line
   */
  public static TrainingOptions read(Path file) {
    TrainingOptions options = new TrainingOptions();
    OptionCopies.read(ConfigFile.read(file), options);
    return options;
  }

  /** Return these options with some of the ensemble and some settings changed. */
  public TrainingOptions with(Map<String, String> changes) {
    TrainingOptions changed = new TrainingOptions();
    changed.data = data;
    changed.evaluation = evaluation;
    changed.compute = compute;
    changed.output = output;
    changed.ensemble = OptionCopies.with(ensemble, changes);
    changed.settings = settings.with(changes);
    return changed;
  }

  /** Return all that was said but where results go, as a file for --config. */
  public String configuration() {
    return OptionCopies.configuration(this);
  }

  /** Return where results go. */
  public OutputOptions output() {
    return output;
  }

  /** Return the settings of plugins. */
  public SettingOptions settings() {
    return settings;
  }

  /** Say what to do, filling in defaults, with every option of every provider spelt out. */
  public TrainingRequest request(PluginCatalog catalog) {
    ensemble.checkSelection();
    return trial(catalog);
  }

  /** Say what to do in a training whose outcome is compared with others by the selected metric. */
  public TrainingRequest trial(PluginCatalog catalog) {
    ensemble.checkEffect();
    Construction construction = ensemble.construction();
    ProviderSettings providers = new ProviderSettings(catalog);
    for (String text : ensemble.filterTexts()) {
      providers.use(ProviderKind.FILTER, ProviderChoice.parse(text));
    }
    providers.use(
        ProviderKind.WEIGHTING,
        ensemble.weighting == null
            ? construction.defaultWeighting()
            : ProviderChoice.parse(ensemble.weighting));
    providers.use(
        ProviderKind.ALPHA,
        ensemble.alphaText() == null
            ? construction.defaultAlpha()
            : ProviderChoice.parse(ensemble.alphaText()));
    complete(providers);
    return request(construction, providers, providers.choices(ProviderKind.FILTER));
  }

  /**
   * Say what the methods of a study have in common.
   *
   * @param defaults the options of the ensemble unless others were said: values by name
   * @param tuned methods with a setting of their own
   */
  public StudyBase study(
      PluginCatalog catalog, Map<String, String> defaults, Map<Method, TrainingRequest> tuned) {
    ensemble.checkStudy();
    TrainingOptions whole = with(OptionCopies.unsaid(ensemble, defaults));
    return whole.studyBase(catalog, tuned);
  }

  /**
   * Say what the study of protocols trains, which draws its data and decides on splits and
   * candidates itself.
   *
   * @param defaults the options of the ensemble and the settings of plugins unless others were
   *     said: values by name
   */
  public StudyBase protocols(PluginCatalog catalog, Map<String, String> defaults) {
    ensemble.checkStudy();
    ensemble.checkProtocols();
    evaluation.checkProtocols();
    if (data.given()) {
      throw Values.bad(
          "--data has no meaning with --only protocols, which draws noise. Leave it out; --set "
              + ProtocolStudy.FORMAT
              + ".users=2000 makes it larger");
    }
    String seed = ProtocolStudy.FORMAT + ".seed";
    if (settings.values().containsKey(seed)) {
      throw Values.bad(
          "--set " + seed + " has no meaning with --only protocols: --seed decides. Leave it out");
    }
    Map<String, String> unsaid = new LinkedHashMap<>(defaults);
    unsaid.keySet().removeAll(settings.values().keySet());
    TrainingOptions whole = with(OptionCopies.unsaid(ensemble, unsaid));
    whole.data = DataOptions.of(ProtocolStudy.DATA, ProtocolStudy.FORMAT);
    return whole.studyBase(catalog, Map.of());
  }

  private StudyBase studyBase(PluginCatalog catalog, Map<Method, TrainingRequest> tuned) {
    Construction construction = Construction.PROGRESSIVE;
    ProviderSettings providers = new ProviderSettings(catalog);
    providers.use(ProviderKind.FILTER, ProviderChoice.of("wmf"));
    providers.use(ProviderKind.WEIGHTING, construction.defaultWeighting());
    providers.use(ProviderKind.ALPHA, construction.defaultAlpha());
    providers.use(
        ProviderKind.ALPHA,
        ensemble.shrinkage == null
            ? Construction.L2BOOST.defaultAlpha()
            : ProviderChoice.parse("fixed:" + ensemble.shrinkage));
    providers.flags(ProviderKind.FILTER, ensemble.filterOptions());
    List<String> others =
        Method.filters().stream().filter(catalog.ids(ProviderKind.FILTER)::contains).toList();
    for (String other : others) {
      boolean ranked =
          ensemble.rank != null
              && catalog.find(ProviderKind.FILTER, other).options().keys().contains("rank");
      providers.use(
          ProviderKind.FILTER,
          ranked ? ProviderChoice.of(other).with("rank", ensemble.rank) : ProviderChoice.of(other));
    }
    completeRest(providers);
    List<ProviderChoice> filters = providers.choices(ProviderKind.FILTER);
    Map<String, ProviderChoice> standing = new LinkedHashMap<>();
    for (int k = 0; k < others.size(); k++) {
      standing.put(others.get(k), filters.get(k + 1));
    }
    return new StudyBase(
        request(construction, providers, filters.subList(0, 1)),
        providers.choices(ProviderKind.ALPHA).get(1),
        standing,
        tuned);
  }

  private void complete(ProviderSettings providers) {
    providers.flags(ProviderKind.FILTER, ensemble.filterOptions());
    completeRest(providers);
  }

  private void completeRest(ProviderSettings providers) {
    providers.use(ProviderKind.BACKEND, compute.request().backend());
    providers.use(ProviderKind.LOADER, data.request().format());
    providers.flags(ProviderKind.WEIGHTING, ensemble.weightingOptions());
    providers.settings(settings.values());
  }

  private TrainingRequest request(
      Construction construction, ProviderSettings providers, List<ProviderChoice> filters) {
    SplitRule split = ensemble.split(data.presplit());
    EvaluationRequest measured = evaluation.request(split);
    return new TrainingRequest(
        data.request().withFormat(providers.choice(ProviderKind.LOADER)),
        split,
        new EnsembleRequest(
            construction,
            filters,
            Values.atLeast("--rounds", ensemble.rounds, 0, 4),
            Values.atLeast("--patience", ensemble.patience, 0, 0),
            ensemble.selection(measured),
            ensemble.confidence(),
            providers.choice(ProviderKind.WEIGHTING),
            providers.choice(ProviderKind.ALPHA),
            Values.atLeast("--chains", ensemble.chains, 1, 1),
            ensemble.em()),
        measured,
        compute.request().withBackend(providers.choice(ProviderKind.BACKEND)),
        ensemble.seed == null ? 1 : ensemble.seed);
  }
}
