package org.pecf.testkit.reference;

import java.util.SplittableRandom;
import org.pecf.api.compute.PairwiseEpoch;
import org.pecf.api.compute.PairwiseRequest;
import org.pecf.api.compute.PairwiseSgd;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;
import org.pecf.api.run.Cancellation;

/** Pairwise training by independent samples, one after the other, in double precision. */
final class ReferencePairwise implements PairwiseSgd {
  private static final int TRIES = 1000;
  private static final int SAMPLES_BETWEEN_POLLS = 64;

  private final PairwiseRequest request;
  private final Cancellation cancellation;
  private final int[] users;
  private final double[] positiveShares;
  private final double[] negativeShares;
  private final int samples;

  ReferencePairwise(PairwiseRequest request, Cancellation cancellation) {
    this.request = request;
    this.cancellation = cancellation;
    SparseCells positives = request.positives();
    users = new int[positives.count()];
    positiveShares = new double[positives.count()];
    int drawn = 0;
    for (int user = 0; user < positives.users(); user++) {
      for (int k = positives.userStart(user); k < positives.userStart(user + 1); k++) {
        users[k] = user;
        positiveShares[k] =
            request.weights().isPresent()
                ? request.weights().get().getFloat((long) k * Float.BYTES)
                : 1;
        drawn += positiveShares[k] > 0 ? 1 : 0;
      }
    }
    samples = drawn;
    negativeShares = new double[positives.items()];
    for (int item = 0; item < negativeShares.length; item++) {
      negativeShares[item] = Math.pow(positives.itemCount(item), request.popularity());
    }
    accumulate(positiveShares);
    accumulate(negativeShares);
  }

  private static void accumulate(double[] shares) {
    for (int k = 1; k < shares.length; k++) {
      shares[k] += shares[k - 1];
    }
  }

  @Override
  public PairwiseEpoch epoch(FactorModel factors, int epoch, double learningRate) {
    SplittableRandom random = request.seed().child("epoch", epoch).random();
    long updates = 0;
    double loss = 0;
    double right = 0;
    for (int sample = 0; sample < samples; sample++) {
      if (sample % SAMPLES_BETWEEN_POLLS == 0) {
        cancellation.check();
      }
      int position = draw(positiveShares, random);
      int negative = negative(users[position], random);
      if (negative >= 0) {
        int positive = request.positives().itemAt(position);
        double x = step(factors, users[position], positive, negative, learningRate);
        loss += x > 0 ? Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x)) - x;
        right += x > 0 ? 1 : x == 0 ? 0.5 : 0;
        updates++;
      }
    }
    cancellation.check();
    return updates == 0
        ? new PairwiseEpoch(0, 0, 0.5)
        : new PairwiseEpoch(updates, loss / updates, right / updates);
  }

  /** Return an index with a probability in proportion to the steps of the running totals. */
  private static int draw(double[] totals, SplittableRandom random) {
    double target = random.nextDouble() * totals[totals.length - 1];
    int index = 0;
    while (totals[index] <= target) {
      index++;
    }
    return index;
  }

  /** Return an item that may be a negative of the user, or -1 if none is found. */
  private int negative(int user, SplittableRandom random) {
    if (negativeShares[negativeShares.length - 1] > 0) {
      for (int attempt = 0; attempt < TRIES; attempt++) {
        int item = draw(negativeShares, random);
        if (!request.positives().contains(user, item)
            && request.excluded().stream().noneMatch(cells -> cells.contains(user, item))
            && request.candidates().stream().allMatch(mask -> mask.valueAt(user, item) == 1)) {
          return item;
        }
      }
    }
    return -1;
  }

  /** Make one step and return x before it. */
  private double step(FactorModel factors, int user, int positive, int negative, double rate) {
    FloatMatrix users = factors.users();
    FloatMatrix items = factors.items();
    double x = 0;
    for (int k = 0; k < factors.rank(); k++) {
      x += users.get(user, k) * ((double) items.get(positive, k) - items.get(negative, k));
    }
    double g = 1 / (1 + Math.exp(x));
    for (int k = 0; k < factors.rank(); k++) {
      double u = users.get(user, k);
      double p = items.get(positive, k);
      double n = items.get(negative, k);
      if (!(request.itemBias() && k == factors.rank() - 1)) {
        users.set(user, k, (float) (u + rate * (g * (p - n) - request.penalties().users() * u)));
      }
      items.set(positive, k, (float) (p + rate * (g * u - request.penalties().positives() * p)));
      items.set(negative, k, (float) (n + rate * (-g * u - request.penalties().negatives() * n)));
    }
    return x;
  }

  @Override
  public void close() {}
}
