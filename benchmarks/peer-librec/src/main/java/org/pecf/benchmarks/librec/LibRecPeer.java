package org.pecf.benchmarks.librec;

import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashMultimap;
import com.google.common.collect.Multimap;
import com.google.common.collect.Table;
import java.nio.file.Path;
import net.librec.common.LibrecException;
import net.librec.math.structure.DenseMatrix;
import net.librec.math.structure.MatrixEntry;
import net.librec.math.structure.SparseMatrix;
import net.librec.recommender.cf.ranking.WRMFRecommender;
import org.pecf.benchmarks.peer.Factors;
import org.pecf.benchmarks.peer.Peer;
import org.pecf.benchmarks.peer.Positives;

/** LibRec's weighted regularised matrix factorisation, which uses one thread. */
public final class LibRecPeer implements Peer {
  private SparseMatrix matrix;
  private Positives positives;
  private int rank;
  private Wrmf trained;

  @Override
  public String name() {
    return "LibRec 2.0.0 WRMF";
  }

  @Override
  public void load(Path file, Positives loaded, int factors) {
    positives = loaded;
    rank = factors;
    Table<Integer, Integer, Double> table = HashBasedTable.create();
    Multimap<Integer, Integer> byItem = HashMultimap.create();
    for (int k = 0; k < loaded.count(); k++) {
      table.put(loaded.userOf()[k], loaded.itemOf()[k], 1.0);
      byItem.put(loaded.itemOf()[k], loaded.userOf()[k]);
    }
    matrix = new SparseMatrix(loaded.users(), loaded.items(), table, byItem);
  }

  @Override
  public void train(int sweeps) throws LibrecException {
    trained = new Wrmf(matrix, rank, sweeps);
    trained.train();
  }

  @Override
  public Factors factors() {
    Factors factors = Factors.zeros(positives.users(), positives.items(), rank);
    copy(trained.users(), factors.users());
    copy(trained.items(), factors.items());
    return factors;
  }

  private static void copy(DenseMatrix matrix, float[][] rows) {
    for (int row = 0; row < rows.length; row++) {
      for (int k = 0; k < rows[row].length; k++) {
        rows[row][k] = (float) matrix.get(row, k);
      }
    }
  }

  /** Hand the matrix over directly: what LibRec does around the training is not to be timed. */
  private static final class Wrmf extends WRMFRecommender {
    private static final float LAMBDA = 20;
    private static final double CONFIDENCE_ABOVE_ZEROS = 19;

    Wrmf(SparseMatrix matrix, int rank, int sweeps) {
      trainMatrix = matrix;
      numUsers = matrix.numRows();
      numItems = matrix.numColumns();
      numFactors = rank;
      numIterations = sweeps;
      regUser = LAMBDA;
      regItem = LAMBDA;
      userFactors = new DenseMatrix(numUsers, rank);
      itemFactors = new DenseMatrix(numItems, rank);
      userFactors.init(0, 0.1);
      itemFactors.init(0, 0.1);
      confindenceMinusIdentityMatrix = new SparseMatrix(matrix);
      preferenceMatrix = new SparseMatrix(matrix);
      for (MatrixEntry entry : matrix) {
        confindenceMinusIdentityMatrix.set(entry.row(), entry.column(), CONFIDENCE_ABOVE_ZEROS);
        preferenceMatrix.set(entry.row(), entry.column(), 1);
      }
    }

    void train() throws LibrecException {
      trainModel();
    }

    DenseMatrix users() {
      return userFactors;
    }

    DenseMatrix items() {
      return itemFactors;
    }
  }
}
