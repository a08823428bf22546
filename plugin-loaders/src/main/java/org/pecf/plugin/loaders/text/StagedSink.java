package org.pecf.plugin.loaders.text;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.run.RunContext;

/**
 * A sink that keeps batches until their schema is known to hold for the whole source.
 *
 * <p>A schema guessed from the beginning of a file may turn out wrong at its end, and a sink
 * accepts batches of one schema only, so they wait here, in the loader's own memory. Closing drops
 * those that were not released.
 */
public final class StagedSink implements RatingSink, AutoCloseable {
  private final RunContext context;
  private final List<Waiting> waiting = new ArrayList<>();

  /** Create an empty sink. */
  public StagedSink(RunContext context) {
    this.context = context;
  }

  @Override
  public RatingBatch batch(RatingSchema schema, int capacity) {
    return RatingBatch.allocate(context.allocator(), schema, capacity);
  }

  @Override
  public synchronized void publish(long ordinal, RatingBatch batch, int count) {
    waiting.add(new Waiting(ordinal, batch, count));
  }

  /** Publish the waiting batches; their memory is passed on, not copied. */
  public void release(RatingSink target) {
    context
        .parallelism()
        .forEach(waiting.size(), (index, worker) -> release(waiting.get(index), target));
  }

  private static void release(Waiting one, RatingSink target) {
    RatingBatch batch = target.batch(one.batch.schema(), 0);
    try (RatingBatch source = one.batch) {
      Vectors.move(source.users(), batch.users());
      Vectors.move(source.items(), batch.items());
      source.ratings().ifPresent(from -> Vectors.move(from, batch.ratings().orElseThrow()));
      source.times().ifPresent(from -> Vectors.move(from, batch.times().orElseThrow()));
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    target.publish(one.ordinal, batch, one.count);
  }

  @Override
  public void close() {
    waiting.forEach(one -> one.batch.close());
    waiting.clear();
  }

  private record Waiting(long ordinal, RatingBatch batch, int count) {}
}
