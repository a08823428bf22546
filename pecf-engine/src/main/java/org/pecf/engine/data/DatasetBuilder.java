package org.pecf.engine.data;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.Part;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;

/**
 * A builder of a dataset from the ratings that loaders publish.
 *
 * <p>It is itself the sink of a source that is not split, and provides {@linkplain #sink sinks} for
 * the parts of one that is. Any number of threads may publish: ids are replaced by provisional
 * numbers at once, and the batch is closed. At the end, {@link #build} puts batches in the order of
 * their ordinals and ids in ascending order, so the result does not depend on the order of arrival.
 */
final class DatasetBuilder implements RatingSink, AutoCloseable {
  private final RunContext context;
  private final Map<Part, Source> sources = new EnumMap<>(Part.class);
  private final List<EncodedBatch> batches = new ArrayList<>();
  private final RatingHistogram histogram = new RatingHistogram();
  private @Nullable IdIndexer users;
  private @Nullable IdIndexer items;
  private @Nullable RatingSchema firstSchema;
  private boolean closed;

  /** Create a builder that takes its memory from the context's allocator. */
  public DatasetBuilder(RunContext context) {
    this.context = context;
  }

  /**
   * Return the sink of a part. A dataset with a part other than training is pre-split.
   *
   * @param part the part, which must have no sink yet
   * @param location the source of its ratings, for messages
   */
  public synchronized RatingSink sink(Part part, String location) {
    Source source = new Source(part, location);
    if (sources.putIfAbsent(part, source) != null) {
      throw new IllegalStateException("there already is a source of the part " + part);
    }
    return source;
  }

  @Override
  public RatingBatch batch(RatingSchema schema, int capacity) {
    return MemoryLimit.batch(context.allocator(), schema, capacity);
  }

  @Override
  public void publish(long ordinal, RatingBatch batch, int count) {
    whole().publish(ordinal, batch, count);
  }

  private synchronized RatingSink whole() {
    return sources.computeIfAbsent(
        Part.TRAINING, part -> new Source(part, "the source of ratings"));
  }

  /**
   * Build the dataset. The builder is closed, even if this fails.
   *
   * @throws PecfException if nothing remains, or a rule cannot be applied
   */
  public Dataset build(DatasetRules rules) {
    try {
      return assembly(rules).assemble();
    } catch (OutOfMemoryException e) {
      throw MemoryLimit.exceeded(context.allocator(), e);
    } finally {
      close();
    }
  }

  private synchronized DatasetAssembly assembly(DatasetRules rules) {
    for (Source source : sources.values()) {
      source.check(rules);
    }
    if (sources.isEmpty()) {
      throw PecfException.badData("No ratings were read. Check the source of the data.");
    }
    batches.sort(Comparator.comparing(EncodedBatch::part).thenComparingLong(EncodedBatch::ordinal));
    for (int k = 1; k < batches.size(); k++) {
      EncodedBatch batch = batches.get(k);
      if (batch.part() == batches.get(k - 1).part()
          && batch.ordinal() == batches.get(k - 1).ordinal()) {
        throw PecfException.pluginFault(
            "The loader of %s published two batches with the ordinal %d, so their order is unknown."
                + " The loader must give each batch its own ordinal.",
            locationOf(batch), batch.ordinal());
      }
    }
    boolean rated = sources.values().stream().allMatch(source -> source.schema().rated());
    boolean timed = sources.values().stream().allMatch(source -> source.schema().timed());
    boolean split = sources.keySet().stream().anyMatch(part -> part != Part.TRAINING);
    Map<Part, String> locations = new EnumMap<>(Part.class);
    sources.forEach((part, source) -> locations.put(part, source.location));
    return new DatasetAssembly(
        batches,
        Objects.requireNonNull(users),
        Objects.requireNonNull(items),
        new CellRatings.Fields(rated, timed, split),
        histogram,
        rules,
        locations,
        context);
  }

  private String locationOf(EncodedBatch batch) {
    return Objects.requireNonNull(sources.get(batch.part())).location;
  }

  @Override
  public synchronized void close() {
    closed = true;
    batches.forEach(EncodedBatch::close);
    batches.clear();
    if (users != null) {
      users.close();
    }
    if (items != null) {
      items.close();
    }
    users = null;
    items = null;
  }

  /** Check that all batches have ids of the same kinds. */
  private synchronized void admit(Source source, RatingSchema schema) {
    if (closed) {
      throw new IllegalStateException("the dataset is already built or abandoned");
    }
    // Loaders usually publish the same object, and records compare by code made at run time.
    if (source.schema != null && source.schema != schema && !source.schema.equals(schema)) {
      throw PecfException.pluginFault(
          "The loader of %s published batches of different schemas, %s and %s. It must decide on"
              + " one before the first batch.",
          source.location, source.schema, schema);
    }
    if (firstSchema == null) {
      users = IdIndexer.of(schema.users(), context.allocator());
      items = IdIndexer.of(schema.items(), context.allocator());
      firstSchema = schema;
    } else {
      checkKind("User", firstSchema.users(), schema.users(), source.location);
      checkKind("Item", firstSchema.items(), schema.items(), source.location);
    }
    source.schema = schema;
  }

  private static void checkKind(String side, IdKind expected, IdKind found, String location) {
    if (expected != found) {
      throw PecfException.badData(
          "%s ids are %s in %s but %s in the other part. Ids are never converted: write them the"
              + " same way in all parts, or set the loader's option for the kind of ids.",
          side,
          found == IdKind.TEXT ? "texts" : "whole numbers",
          location,
          expected == IdKind.TEXT ? "texts" : "whole numbers");
    }
  }

  private void encode(Source source, long ordinal, RatingBatch batch, int count) {
    checkValues(source, ordinal, batch, count);
    try (Cleanup cleanup = new Cleanup()) {
      BufferAllocator allocator = context.allocator();
      OffHeapColumn userNumbers = cleanup.add(OffHeapColumn.unset(allocator, count, Integer.BYTES));
      OffHeapColumn itemNumbers = cleanup.add(OffHeapColumn.unset(allocator, count, Integer.BYTES));
      OffHeapColumn ratings = null;
      if (batch.ratings().isPresent()) {
        ratings = cleanup.add(OffHeapColumn.unset(allocator, count, Float.BYTES));
        ratings.copyFrom(batch.ratings().get().getDataBuffer(), count);
        histogram.add(ratings, count);
      }
      OffHeapColumn times = null;
      if (batch.times().isPresent()) {
        times = cleanup.add(OffHeapColumn.unset(allocator, count, Long.BYTES));
        times.copyFrom(batch.times().get().getDataBuffer(), count);
      }
      // One lock per side, so that two threads can work at a time.
      number(Objects.requireNonNull(users), batch.users(), count, userNumbers);
      number(Objects.requireNonNull(items), batch.items(), count, itemNumbers);
      EncodedBatch encoded =
          new EncodedBatch(source.part, ordinal, count, userNumbers, itemNumbers, ratings, times);
      synchronized (this) {
        batches.add(encoded);
        source.count += count;
      }
      cleanup.release();
    }
  }

  private static void number(IdIndexer indexer, FieldVector ids, int count, OffHeapColumn numbers) {
    synchronized (indexer) {
      indexer.number(ids, count, numbers);
    }
  }

  private static void checkValues(Source source, long ordinal, RatingBatch batch, int count) {
    List<FieldVector> vectors = new ArrayList<>(List.of(batch.users(), batch.items()));
    batch.ratings().ifPresent(vectors::add);
    batch.times().ifPresent(vectors::add);
    for (FieldVector vector : vectors) {
      if (count < 0 || count > vector.getValueCapacity()) {
        throw fault(source, ordinal, "cannot hold the stated " + count + " ratings");
      }
      int missing = firstMissing(vector, count);
      if (missing < count) {
        throw fault(source, ordinal, "has no " + vector.getName() + " at " + missing);
      }
    }
    if (batch.ratings().isPresent()) {
      OffHeapColumn ratings =
          OffHeapColumn.view(batch.ratings().get().getDataBuffer(), Float.BYTES);
      for (int k = 0; k < count; k++) {
        if (Float.isNaN(ratings.floatAt(k))) {
          throw fault(source, ordinal, "has a rating that is not a number at " + k);
        }
      }
    }
  }

  /** Return the first index without a value, or the count; test 64 values at a time. */
  private static int firstMissing(FieldVector vector, int count) {
    ArrowBuf validity = vector.getValidityBuffer();
    int k = 0;
    while (k + Long.SIZE <= count && validity.getLong(k / Byte.SIZE) == -1L) {
      k += Long.SIZE;
    }
    while (k < count && !vector.isNull(k)) {
      k++;
    }
    return k;
  }

  private static PecfException fault(Source source, long ordinal, String problem) {
    return PecfException.pluginFault(
        "Batch %s of %s %s. Loaders must leave out or reject such lines.",
        ordinal, source.location, problem);
  }

  /** The sink of one part. */
  private final class Source implements RatingSink {
    private final Part part;
    private final String location;
    private @Nullable RatingSchema schema;
    private long count;

    Source(Part part, String location) {
      this.part = part;
      this.location = location;
    }

    @Override
    public RatingBatch batch(RatingSchema schema, int capacity) {
      return DatasetBuilder.this.batch(schema, capacity);
    }

    @Override
    public void publish(long ordinal, RatingBatch batch, int count) {
      try (batch) {
        context.cancellation().check();
        admit(this, batch.schema());
        encode(this, ordinal, batch, count);
      } catch (OutOfMemoryException e) {
        throw MemoryLimit.exceeded(context.allocator(), e);
      }
    }

    void check(DatasetRules rules) {
      if (count == 0) {
        throw PecfException.badData(
            "%s holds no ratings. Check the path and the format.", capitalised(location));
      }
      if (!schema().rated() && rules.positive().comparison() != PositiveRule.Comparison.ALL) {
        throw PecfException.badOption(
            "The rule '%s' for positives needs rating values, but %s has none: every line of it is"
                + " a positive. Leave the rule out.",
            rules.positive(), location);
      }
    }

    /** Return the schema of the batches published so far, of which there is at least one. */
    private RatingSchema schema() {
      return Objects.requireNonNull(schema);
    }

    private static String capitalised(String text) {
      return text.startsWith("the ") ? "T" + text.substring(1) : text;
    }
  }
}
