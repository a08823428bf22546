package org.pecf.serve.model;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.Opening;
import org.pecf.engine.recommend.ItemTitles;
import org.pecf.engine.recommend.Recommender;

/**
 * An open model with the titles of its items, shared by requests.
 *
 * <p>It counts who uses it. Whoever opened it is the first; its memory is released when the last
 * one lets go, so a request that began with a model ends with it, even if another has taken its
 * place.
 */
public final class ServedModel implements AutoCloseable {
  private static final int ATTEMPTS = 5;

  private final String id;
  private final Recommender recommender;
  private final Optional<ItemTitles> titles;
  private final ItemSearch search;
  private final Instant opened;
  private final AtomicInteger uses = new AtomicInteger(1);

  private ServedModel(
      String id, Recommender recommender, Optional<ItemTitles> titles, Instant opened) {
    this.id = id;
    this.recommender = recommender;
    this.titles = titles;
    this.search = new ItemSearch(recommender.items(), titles);
    this.opened = opened;
  }

  /**
   * Open a model for its first user.
   *
   * @param place the folder of the model
   * @param titleFile the file with titles of items, if there is one
   * @throws PecfException if the model or the titles cannot be read
   */
  public static ServedModel open(Path place, Optional<Path> titleFile) {
    for (int attempt = 1; ; attempt++) {
      Optional<String> before = ModelStore.fingerprint(place);
      // The model is read and verified, not mapped, so later changes to the folder do not matter.
      Recommender recommender = Recommender.open(place, Opening.READ);
      try {
        // A model that was replaced in between may not be the one that the checksum belongs to.
        if (before.equals(ModelStore.fingerprint(place)) || attempt == ATTEMPTS) {
          return new ServedModel(
              before.orElse(""),
              recommender,
              titleFile.map(file -> ItemTitles.read(file, recommender.items())),
              Instant.now());
        }
      } catch (RuntimeException | Error e) {
        recommender.close();
        throw e;
      }
      recommender.close();
    }
  }

  /** Return the checksum of the model's manifest, which tells models apart. */
  public String id() {
    return id;
  }

  /** Return the recommender; valid while the model is in use. */
  public Recommender recommender() {
    return recommender;
  }

  /** Return the time at which the model was opened. */
  public Instant opened() {
    return opened;
  }

  /** Return the title of an item, or null if it has none. */
  public @Nullable String title(String item) {
    return titles.map(known -> known.of(item)).filter(title -> !title.isEmpty()).orElse(null);
  }

  /** Return whether titles of items are known. */
  public boolean hasTitles() {
    return titles.isPresent();
  }

  /**
   * Find items by a part of their title or the beginning of their id.
   *
   * @param text the text to look for
   * @param count the largest number of items
   * @return the ids, the best matches first
   */
  public List<String> searchItems(String text, int count) {
    return search.find(text, count);
  }

  /**
   * Find users by the beginning of their id.
   *
   * @param text the text to look for
   * @param count the largest number of users
   * @return the ids, in their order
   */
  public List<String> searchUsers(String text, int count) {
    IdMap users = recommender.users();
    return ItemSearch.byId(users, text).limit(count).mapToObj(users::textAt).toList();
  }

  /** Take part in the use of the model, unless everybody has let go of it. */
  boolean join() {
    return uses.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
  }

  /** Let go of the model; the last one to do so releases its memory. */
  @Override
  public void close() {
    if (uses.decrementAndGet() == 0) {
      recommender.close();
    }
  }
}
