package org.pecf.cli.option;

import java.util.List;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.engine.request.ProviderSelection;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine.Mixin;

/** The options of commands that read data or models but train nothing. */
public final class WorkOptions {
  @Mixin RecordOptions<ComputeRequest> compute;
  @Mixin SettingOptions settings = new SettingOptions();

  private WorkOptions(List<String> keys) {
    compute =
        new RecordOptions<>(
            Sections.COMPUTING,
            ComputeRequest.SCHEMA,
            ComputeRequest.SCHEMA.descriptions().stream()
                .filter(option -> keys.contains(option.key()))
                .toList(),
            List.of());
  }

  /** Return the options of a command that trains or measures training. */
  public static WorkOptions ofTraining() {
    return new WorkOptions(ComputeRequest.SCHEMA.keys());
  }

  /** Return the options of a command that reads ratings and computes nothing from them. */
  public static WorkOptions ofReading() {
    return new WorkOptions(List.of("threads", "memory"));
  }

  /** Return the options of a command that ranks items by the scores of a model. */
  public static WorkOptions ofRanking() {
    return new WorkOptions(List.of("backend", "threads", "memory"));
  }

  /**
   * The data to work on and the resources to work with.
   *
   * @param data the ratings, with the options of their format
   * @param compute the resources, with the options of the backend
   */
  public record Work(DataRequest data, ComputeRequest compute) {
    /** Set up memory and threads. */
    public Workspace workspace(
        PluginCatalog catalog, RunListener listener, Cancellation cancellation) {
      return new Workspace(catalog, compute, listener, cancellation);
    }
  }

  /** Return the compute request of a command that reads no ratings. */
  public ComputeRequest compute(PluginCatalog catalog) {
    ComputeRequest request = ComputeRequest.of(compute.texts());
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, request.backend());
    providers.set(new RequestOptions(settings.values()));
    return request.withBackend(providers.choice(ProviderKind.BACKEND));
  }

  /** Return the work on some data. */
  public Work work(PluginCatalog catalog, DataRequest data) {
    ComputeRequest request = ComputeRequest.of(compute.texts());
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, request.backend());
    providers.use(ProviderKind.LOADER, data.format());
    providers.set(new RequestOptions(settings.values()));
    return new Work(
        data.withFormat(providers.choice(ProviderKind.LOADER)),
        request.withBackend(providers.choice(ProviderKind.BACKEND)));
  }
}
