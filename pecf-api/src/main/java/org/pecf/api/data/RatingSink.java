package org.pecf.api.data;

import org.apiguardian.api.API;

/** The receiver of ratings in batches of Arrow vectors. Several threads may use it at once. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RatingSink {
  /**
   * Provide an empty batch.
   *
   * @param schema the same for all batches of a source
   * @param capacity for how many ratings memory is set aside
   */
  RatingBatch batch(RatingSchema schema, int capacity);

  /**
   * Take a batch; it then belongs to the sink. A batch that is not published must be closed.
   *
   * @param ordinal the place of the batch in the source: what comes later wins over what came
   *     earlier
   * @param batch the batch
   * @param count how many ratings it holds
   */
  void publish(long ordinal, RatingBatch batch, int count);
}
