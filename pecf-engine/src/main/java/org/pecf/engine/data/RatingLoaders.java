package org.pecf.engine.data;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.Recognition;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;

/**
 * The available rating loaders.
 *
 * @param ids the ids of all loaders
 * @param embedding says by id whether a loader has embedded data
 * @param source creates the loader of a choice, or throws a {@link PecfException} if there is none
 *     with that id, or an option is wrong
 */
public record RatingLoaders(
    Collection<String> ids,
    Predicate<String> embedding,
    Function<ProviderChoice, RatingLoader> source) {
  public RatingLoaders {
    ids = List.copyOf(ids);
  }

  /** Return the loaders of a catalog. */
  public static RatingLoaders of(PluginCatalog catalog) {
    return new RatingLoaders(
        catalog.ids(ProviderKind.LOADER),
        id -> catalog.find(ProviderKind.LOADER, id).embedsData(),
        catalog::loader);
  }

  /** Return those of the loaders whose ids are permitted: no other is asked about a format. */
  public RatingLoaders only(Predicate<String> permitted) {
    return new RatingLoaders(ids.stream().filter(permitted).toList(), embedding, source);
  }

  /**
   * Say how sure a loader is of a source; of embedded data, only loaders that have some are asked.
   */
  Recognition recognise(String id, DataSource source) {
    return source.builtin().isEmpty() || embedding.test(id)
        ? loader(ProviderChoice.of(id)).recognise(source)
        : Recognition.NO;
  }

  /**
   * Create a loader.
   *
   * @throws PecfException if there is none with that id, or an option is wrong
   */
  public RatingLoader loader(ProviderChoice choice) {
    return source.apply(choice);
  }
}
