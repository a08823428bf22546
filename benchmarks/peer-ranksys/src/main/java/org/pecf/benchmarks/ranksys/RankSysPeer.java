package org.pecf.benchmarks.ranksys;

import cern.colt.matrix.impl.DenseDoubleMatrix2D;
import es.uam.eps.ir.ranksys.fast.index.FastItemIndex;
import es.uam.eps.ir.ranksys.fast.index.FastUserIndex;
import es.uam.eps.ir.ranksys.fast.index.SimpleFastItemIndex;
import es.uam.eps.ir.ranksys.fast.index.SimpleFastUserIndex;
import es.uam.eps.ir.ranksys.fast.preference.FastPreferenceData;
import es.uam.eps.ir.ranksys.fast.preference.SimpleFastPreferenceData;
import es.uam.eps.ir.ranksys.mf.Factorization;
import es.uam.eps.ir.ranksys.mf.Factorizer;
import java.nio.file.Path;
import java.util.function.DoubleUnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.jooq.lambda.tuple.Tuple3;
import org.pecf.benchmarks.peer.Factors;
import org.pecf.benchmarks.peer.Peer;
import org.pecf.benchmarks.peer.Positives;

/** One of RankSys' factorisers, on the threads of the common pool. */
abstract class RankSysPeer implements Peer {
  static final DoubleUnaryOperator CONFIDENCE = rating -> 1 + 19 * rating;
  static final double LAMBDA = 20;

  private final Logger logger = Logger.getLogger("es.uam.eps.ir.ranksys");
  private FastPreferenceData<Integer, Integer> data;
  private Positives positives;
  private int rank;
  private Factorization<Integer, Integer> factorization;

  abstract Factorizer<Integer, Integer> factorizer(int sweeps);

  @Override
  public void load(Path file, Positives loaded, int factors) {
    logger.setLevel(Level.OFF);
    positives = loaded;
    rank = factors;
    FastUserIndex<Integer> users =
        SimpleFastUserIndex.load(IntStream.range(0, loaded.users()).boxed());
    FastItemIndex<Integer> items =
        SimpleFastItemIndex.load(IntStream.range(0, loaded.items()).boxed());
    data =
        SimpleFastPreferenceData.load(
            IntStream.range(0, loaded.count())
                .mapToObj(k -> new Tuple3<>(loaded.userOf()[k], loaded.itemOf()[k], 1.0)),
            users,
            items);
  }

  @Override
  public void train(int sweeps) {
    factorization = factorizer(sweeps).factorize(rank, data);
  }

  @Override
  public Factors factors() {
    Factors factors = Factors.zeros(positives.users(), positives.items(), rank);
    copy(factorization.getUserMatrix(), factors.users());
    copy(factorization.getItemMatrix(), factors.items());
    return factors;
  }

  private static void copy(DenseDoubleMatrix2D matrix, float[][] rows) {
    for (int row = 0; row < rows.length; row++) {
      for (int k = 0; k < rows[row].length; k++) {
        rows[row][k] = (float) matrix.getQuick(row, k);
      }
    }
  }
}
