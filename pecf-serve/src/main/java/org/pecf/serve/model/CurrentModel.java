package org.pecf.serve.model;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.pecf.api.PecfException;
import org.pecf.engine.model.ModelStore;

/**
 * The model that new requests get. Another one can take its place at any time; requests that are
 * under way keep theirs.
 */
public final class CurrentModel implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(CurrentModel.class);

  private final Path place;
  private final Supplier<ServedModel> opening;
  private volatile ServedModel current;
  private final AtomicInteger reloads = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile Optional<String> problem = Optional.empty();

  /**
   * Open a model.
   *
   * @param place the folder of the model
   * @param titles the file with titles of items, if there is one
   * @throws PecfException if the model or the titles cannot be read
   */
  public CurrentModel(Path place, Optional<Path> titles) {
    this(place, () -> ServedModel.open(place, titles));
  }

  CurrentModel(Path place, Supplier<ServedModel> opening) {
    this.place = place;
    this.opening = opening;
    this.current = opening.get();
  }

  /** Return the model for a request, which must close it. */
  public ServedModel use() {
    while (true) {
      ServedModel model = current;
      if (model.join()) {
        return model;
      }
      // It was replaced after it was read here, and its last user is gone.
      Thread.onSpinWait();
    }
  }

  /** Return whether the folder holds another model than the one in use. */
  boolean isOutdated() {
    return ModelStore.fingerprint(place).filter(id -> !id.equals(current.id())).isPresent();
  }

  /**
   * Open what the folder and the title file hold now, and let it take the place of the model in
   * use. If that fails, the model in use stays.
   *
   * @throws PecfException if the model or the titles cannot be read
   */
  public synchronized void reload() {
    try {
      ServedModel next = opening.get();
      ServedModel last = current;
      current = next;
      last.close();
      reloads.incrementAndGet();
      problem = Optional.empty();
      LOG.info("the model {} is served from now on", next.id());
    } catch (RuntimeException | Error e) {
      failures.incrementAndGet();
      PecfException told =
          e instanceof PecfException known
              ? known
              : PecfException.badModel(
                      "The model at %s cannot be opened (%s). Look whether it is whole, and whether"
                          + " the memory suffices.",
                      place, e)
                  .causedBy(e);
      problem = Optional.of(told.getMessage());
      LOG.warn("the model in use stays: {}", told.getMessage());
      throw told;
    }
  }

  /** Return the number of times that another model took its place. */
  public int reloads() {
    return reloads.get();
  }

  /** Return the number of times that a model could not be opened. */
  public int failures() {
    return failures.get();
  }

  /** Return why the last attempt to open another model failed, if it did. */
  public Optional<String> problem() {
    return problem;
  }

  /** Let go of the model; requests that are under way keep it until they end. */
  @Override
  public synchronized void close() {
    current.close();
  }
}
