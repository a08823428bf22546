package org.pecf.engine.data;

import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.jspecify.annotations.Nullable;
import org.pecf.api.data.Part;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;

/**
 * The positives of a source in Arrow memory, with their original ids.
 *
 * <p>Every user and every item of the grid has a positive. The content never changes; closing a
 * dataset releases the memory.
 */
public final class Dataset implements AutoCloseable {
  private final SparseCells positives;
  private final Optional<SparseCells> negatives;
  private final IdMap users;
  private final IdMap items;
  private final Optional<BigIntVector> times;
  private final Optional<TinyIntVector> parts;
  private final DatasetSummary summary;

  /** The fingerprint, computed on request: hashing takes as long as splitting. */
  private @Nullable String fingerprint;

  private Set<String> loaders = Set.of();
  private boolean closed;

  Dataset(
      SparseCells positives,
      Optional<SparseCells> negatives,
      IdMap users,
      IdMap items,
      Optional<BigIntVector> times,
      Optional<TinyIntVector> parts,
      DatasetSummary summary) {
    this.positives = positives;
    this.negatives = negatives;
    this.users = users;
    this.items = items;
    this.times = times;
    this.parts = parts;
    this.summary = summary;
  }

  /**
   * Note the loaders that read the ratings.
   *
   * @param ids the ids of the loaders. Not modified.
   * @return this dataset
   */
  Dataset readBy(Set<String> ids) {
    loaders = Set.copyOf(ids);
    return this;
  }

  /** Return the ids of the loaders that read the ratings. */
  public Set<String> loaders() {
    return loaders;
  }

  /** Return the numbers of users and items. */
  public GridShape shape() {
    return new GridShape(positives.users(), positives.items());
  }

  /** Return the positives. */
  public SparseCells positives() {
    return positives;
  }

  /**
   * Return the cells that are rated but not positive; empty if there are none. Training does not
   * see them: they are known of a user, and so not recommended.
   */
  public Optional<SparseCells> negatives() {
    return negatives;
  }

  /** Return the ids of the users. */
  public IdMap users() {
    return users;
  }

  /** Return the ids of the items. */
  public IdMap items() {
    return items;
  }

  /** Return the time of each positive in seconds since 1970, in the by-user order, if known. */
  public Optional<BigIntVector> times() {
    return times;
  }

  /**
   * Return the ordinal of the {@link Part} of each positive, in the by-user order, if the source is
   * split already.
   */
  public Optional<TinyIntVector> parts() {
    return parts;
  }

  /**
   * Return the SHA-256 of the content in lower-case hexadecimal: ids, positives, times and parts.
   *
   * <p>The same positives have the same fingerprint whatever the file format, the names of files,
   * the order of rows and the number of threads.
   *
   * @throws IllegalStateException if the dataset is closed and this was never called before
   */
  public synchronized String fingerprint() {
    if (fingerprint == null) {
      if (closed) {
        throw new IllegalStateException("the dataset is closed");
      }
      fingerprint = Fingerprint.of(this);
    }
    return fingerprint;
  }

  /** Return a description of the content and of the ratings that were dropped. */
  public DatasetSummary summary() {
    return summary;
  }

  @Override
  public synchronized void close() {
    closed = true;
    positives.close();
    negatives.ifPresent(SparseCells::close);
    users.close();
    items.close();
    times.ifPresent(BigIntVector::close);
    parts.ifPresent(TinyIntVector::close);
  }
}
