package org.pecf.loaders.text;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.data.LoadContext;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/**
 * Keep batches back until it is sure that their schema holds for the whole source.
 *
 * <p>A schema that was guessed from the beginning of a file may turn out wrong at its end; a sink
 * cannot take batches back, so they wait here. Closing drops those that were not released.
 */
public final class StagedSink implements RatingSink, AutoCloseable {
  private final RatingSink target;
  private final List<Waiting> waiting = new ArrayList<>();

  /** Create a stage before a sink. */
  public StagedSink(RatingSink target) {
    this.target = target;
  }

  @Override
  public RatingBatch batch(RatingSchema schema, int capacity) {
    return target.batch(schema, capacity);
  }

  @Override
  public synchronized void publish(long ordinal, RatingBatch batch, int count) {
    waiting.add(new Waiting(ordinal, batch, count));
  }

  /** Publish what waits. */
  public void release(LoadContext context) {
    List<Waiting> released = List.copyOf(waiting);
    boolean[] passedOn = new boolean[released.size()];
    try {
      context
          .parallelism()
          .forEach(
              released.size(),
              (index, worker) -> {
                Waiting next = released.get(index);
                passedOn[index] = true;
                target.publish(next.ordinal, next.batch, next.count);
              });
    } finally {
      for (int i = released.size() - 1; i >= 0; i--) {
        if (passedOn[i]) {
          waiting.remove(i);
        }
      }
    }
  }

  @Override
  public void close() {
    waiting.forEach(one -> one.batch.close());
    waiting.clear();
  }

  private record Waiting(long ordinal, RatingBatch batch, int count) {}
}
