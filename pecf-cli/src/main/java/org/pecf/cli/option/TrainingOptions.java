package org.pecf.cli.option;

import java.util.Map;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.run.ComputeRequest;
import org.pecf.engine.run.TrainingRequest;
import org.pecf.engine.split.SplitRule;
import picocli.CommandLine.Mixin;

/** Take all options of a training run, and say what they ask for. */
public final class TrainingOptions {
  @Mixin DataOptions data = new DataOptions();
  @Mixin EnsembleOptions ensemble = new EnsembleOptions();
  @Mixin EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin ComputeOptions compute = new ComputeOptions();
  @Mixin SettingOptions settings = new SettingOptions();
  @Mixin OutputOptions output = new OutputOptions();

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
    DataRequest data = this.data.request();
    EvaluationRequest evaluation = this.evaluation.request();
    ComputeRequest compute = this.compute.request();
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
    providers.use(ProviderKind.BACKEND, compute.backend());
    providers.use(ProviderKind.LOADER, data.format());
    providers.flags(ProviderKind.FILTER, ensemble.filterOptions());
    providers.flags(ProviderKind.WEIGHTING, ensemble.weightingOptions());
    providers.settings(settings.values());
    return new TrainingRequest(
        Requests.withFormat(data, providers.choice(ProviderKind.LOADER)),
        SplitRule.parse(
            ensemble.split == null ? (this.data.presplit() ? "files" : "paper") : ensemble.split),
        providers.choices(ProviderKind.FILTER),
        construction,
        providers.choice(ProviderKind.WEIGHTING),
        providers.choice(ProviderKind.ALPHA),
        Values.atLeast("--rounds", ensemble.rounds, 0, 4),
        Values.atLeast("--patience", ensemble.patience, 0, 0),
        ensemble.selection(evaluation),
        ensemble.em(),
        Values.atLeast("--chains", ensemble.chains, 1, 1),
        ensemble.confidence(),
        ensemble.seed == null ? 1 : ensemble.seed,
        Requests.withBackend(compute, providers.choice(ProviderKind.BACKEND)),
        evaluation);
  }
}
