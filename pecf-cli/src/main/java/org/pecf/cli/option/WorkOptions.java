package org.pecf.cli.option;

import java.util.Collection;
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

/**
 * The options of commands that read data or models but train nothing.
 *
 * @param compute the resources
 * @param settings those of plugins
 */
public record WorkOptions(
    RecordOptions<ComputeRequest> compute, RecordOptions<SettingOptions> settings) {
  private static WorkOptions of(Collection<String> keys) {
    return new WorkOptions(
        RecordOptions.of(Section.COMPUTING, ComputeRequest.SCHEMA).only(keys),
        SettingOptions.options());
  }

  /** Return the options of a command that trains or measures training. */
  public static WorkOptions ofTraining() {
    return of(ComputeRequest.SCHEMA.keys());
  }

  /** Return the options of a command that reads ratings and computes nothing from them. */
  public static WorkOptions ofReading() {
    return of(List.of("threads", "memory"));
  }

  /** Return the options of a command that ranks items by the scores of a model. */
  public static WorkOptions ofRanking() {
    return of(List.of("backend", "threads", "memory"));
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

  private ComputeRequest request() {
    return ComputeRequest.of(compute.texts());
  }

  /** Return the compute request of a command that reads no ratings. */
  public ComputeRequest compute(PluginCatalog catalog) {
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, request().backend());
    providers.set(new RequestOptions(settings.get().values()));
    return request().withBackend(providers.choice(ProviderKind.BACKEND));
  }

  /** Return the work on some data. */
  public Work work(PluginCatalog catalog, DataRequest data) {
    ProviderSelection providers = new ProviderSelection(catalog);
    providers.use(ProviderKind.BACKEND, request().backend());
    providers.use(ProviderKind.LOADER, data.format());
    providers.set(new RequestOptions(settings.get().values()));
    return new Work(
        data.withFormat(providers.choice(ProviderKind.LOADER)),
        request().withBackend(providers.choice(ProviderKind.BACKEND)));
  }
}
