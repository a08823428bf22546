package org.pecf.engine.plugin;

import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.data.RatingLoaderProvider;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.ensemble.WeightingSchemeProvider;
import org.pecf.api.evaluate.MetricProvider;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.plugin.Provider;

/**
 * The kinds of provider that plugins may offer.
 *
 * @param <P> the provider interface
 */
public final class ProviderKind<P extends Provider<?, ?>> {
  /** The option of every filter of a plan that the engine itself takes. */
  public static final String CONFIDENCE = "confidence";

  /** Base filters. */
  public static final ProviderKind<BaseFilterProvider<?>> FILTER =
      new ProviderKind<>("filter", BaseFilterProvider.class, ProviderKind.CONFIDENCE);

  /** Weighting schemes. */
  public static final ProviderKind<WeightingSchemeProvider<?>> WEIGHTING =
      new ProviderKind<>("weighting", WeightingSchemeProvider.class);

  /** Alpha strategies. */
  public static final ProviderKind<AlphaStrategyProvider<?>> ALPHA =
      new ProviderKind<>("alpha", AlphaStrategyProvider.class);

  /** Compute backends. */
  public static final ProviderKind<ComputeBackendProvider<?>> BACKEND =
      new ProviderKind<>("backend", ComputeBackendProvider.class);

  /** Rating loaders. */
  public static final ProviderKind<RatingLoaderProvider<?>> LOADER =
      new ProviderKind<>("loader", RatingLoaderProvider.class);

  /** Metrics. */
  public static final ProviderKind<MetricProvider> METRIC =
      new ProviderKind<>("metric", MetricProvider.class);

  private static final List<ProviderKind<?>> ALL =
      List.of(FILTER, WEIGHTING, ALPHA, BACKEND, LOADER, METRIC);

  private final String word;
  private final Class<?> service;
  private final Set<String> engineOptions;

  private ProviderKind(String word, Class<?> service, String... engineOptions) {
    this.word = word;
    this.service = service;
    this.engineOptions = Set.of(engineOptions);
  }

  /** Return all kinds. */
  public static List<ProviderKind<?>> all() {
    return ALL;
  }

  /** Return the word for this kind in commands and messages, such as "filter". */
  public String word() {
    return word;
  }

  /** Return the interface that providers of this kind implement. */
  public Class<?> service() {
    return service;
  }

  /** Return the options of a choice that are for the engine, not for the provider. */
  public Set<String> engineOptions() {
    return engineOptions;
  }

  /** Cast a provider to this kind. */
  @SuppressWarnings("unchecked")
  P cast(Object provider) {
    return (P) service.cast(provider);
  }

  /** Look for providers in a layer and, after those, in its parents. */
  ServiceLoader<?> in(ModuleLayer layer) {
    return ServiceLoader.load(layer, service);
  }

  /** Look for providers that a class loader sees, in named modules and on the class path. */
  ServiceLoader<?> in(ClassLoader loader) {
    return ServiceLoader.load(service, loader);
  }

  @Override
  public String toString() {
    return word;
  }
}
