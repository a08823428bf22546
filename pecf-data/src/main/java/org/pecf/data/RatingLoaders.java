package org.pecf.data;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.pecf.api.PecfException;
import org.pecf.api.data.RatingLoader;
import org.pecf.platform.plugin.PluginCatalog;
import org.pecf.platform.plugin.ProviderChoice;
import org.pecf.platform.plugin.ProviderKind;

/**
 * The available rating loaders.
 *
 * @param ids the ids of all loaders
 * @param source creates the loader of a choice, or throws a {@link PecfException} if there is none
 *     with that id, or an option is wrong
 */
public record RatingLoaders(Collection<String> ids, Function<ProviderChoice, RatingLoader> source) {
  public RatingLoaders {
    ids = List.copyOf(ids);
  }

  /** Return the loaders of a catalog. */
  public static RatingLoaders of(PluginCatalog catalog) {
    return new RatingLoaders(catalog.ids(ProviderKind.LOADER), catalog::loader);
  }

  /** Return those of the loaders whose ids are permitted: no other is asked about a format. */
  public RatingLoaders only(Predicate<String> permitted) {
    return new RatingLoaders(ids.stream().filter(permitted).toList(), source);
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
