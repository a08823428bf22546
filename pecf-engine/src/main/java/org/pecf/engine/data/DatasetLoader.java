package org.pecf.engine.data;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.Part;
import org.pecf.api.run.RunContext;
import org.pecf.engine.plugin.ProviderChoice;

/** A loader of datasets, which reads ratings through rating loaders. */
public final class DatasetLoader {
  private final RatingLoaders loaders;

  /** Create a loader of datasets that uses the given rating loaders. */
  public DatasetLoader(RatingLoaders loaders) {
    this.loaders = loaders;
  }

  /**
   * Load the dataset of a request. Validation and test locations, if given, share the ids of the
   * main one and make the dataset a pre-split one.
   *
   * @param request the description of the dataset
   * @param context the run context
   * @return the dataset; its memory, from the context's allocator, passes to the caller
   * @throws org.pecf.api.PecfException if it cannot be loaded
   */
  public Dataset load(DataRequest request, RunContext context) {
    Map<Part, String> locations = new EnumMap<>(Part.class);
    locations.put(Part.TRAINING, request.location());
    request.validationLocation().ifPresent(place -> locations.put(Part.VALIDATION, place));
    request.testLocation().ifPresent(place -> locations.put(Part.TEST, place));
    FormatRecogniser formats = new FormatRecogniser(loaders, context.listener());
    Set<String> ids = new TreeSet<>();
    try (DatasetBuilder builder = new DatasetBuilder(context)) {
      for (Map.Entry<Part, String> part : locations.entrySet()) {
        DataSource source = new DataSource(part.getValue());
        ProviderChoice format = formats.choice(source, request.format());
        ids.add(format.id());
        loaders.loader(format).load(source, builder.sink(part.getKey(), part.getValue()), context);
      }
      Dataset dataset = builder.build(DatasetRules.of(request)).readBy(ids);
      context.listener().on(new DatasetLoaded(request.location(), dataset.summary()));
      return dataset;
    }
  }

  /**
   * Make a dataset of ratings in memory.
   *
   * @param request the rules by which ratings become positives, and the name of the ratings
   * @return the dataset; its memory, from the context's allocator, passes to the caller
   * @throws org.pecf.api.PecfException if nothing remains of the ratings, or a rule cannot be
   *     applied
   */
  public static Dataset take(Interactions interactions, DataRequest request, RunContext context) {
    try (DatasetBuilder builder = new DatasetBuilder(context)) {
      interactions.publish(builder.sink(Part.TRAINING, request.location()));
      Dataset dataset = builder.build(DatasetRules.of(request));
      context.listener().on(new DatasetLoaded(request.location(), dataset.summary()));
      return dataset;
    }
  }
}
