package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.Side;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.leastsquares.Background;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;

/** The background's part of the equations, shared by all rows of a corrected half-sweep. */
final class CudaSharedEquations {
  private final int rank;

  /** {@code b V'V}. */
  private final DeviceMemory gramian;

  /** The part of the right-hand side due to constant targets, b t sum_j v_j; null if none. */
  private final @Nullable DeviceMemory pull;

  /** The maps from the factors of the models in the targets to right-hand sides. */
  private final List<Mapping> mappings = new ArrayList<>();

  /**
   * The contribution of one model in the targets.
   *
   * @param factors the model's factors of the solved side
   * @param map {@code b c F'V}, F being the model's factors of the other side
   */
  private record Mapping(DeviceMatrix factors, DeviceMatrix map) {}

  /**
   * Compute the shared equations on the first stream, which others must wait for.
   *
   * @param scores the scores in the background's targets
   * @param fixed the factors of the other side, V
   */
  CudaSharedEquations(
      Device device,
      Scratch scratch,
      DeviceCopies copies,
      Background background,
      List<ScoreCombination> scores,
      Side side,
      DeviceMatrix fixed) {
    DeviceStream stream = device.stream(0);
    rank = fixed.columns();
    float b = (float) background.weight();
    gramian = scratch.floats((long) rank * rank);
    CudaFactorProducts.cross(stream, fixed, fixed, b, gramian);
    double scale = background.weight() * background.constantTarget();
    if (scale == 0) {
      pull = null;
    } else {
      double[] sums = CudaFactorProducts.columnSums(device, fixed);
      float[] values = new float[rank];
      for (int k = 0; k < rank; k++) {
        values[k] = (float) (scale * sums[k]);
      }
      pull = scratch.floats(rank);
      stream.upload(pull, 0, values);
    }
    for (ScoreCombination combination : scores) {
      for (int k = 0; k < combination.size(); k++) {
        FactorModel model = combination.model(k);
        DeviceMemory map = scratch.floats((long) model.rank() * rank);
        CudaFactorProducts.cross(
            stream,
            copies.matrix(model.side(side.other())),
            fixed,
            b * combination.coefficient(k),
            map);
        mappings.add(
            new Mapping(
                copies.matrix(model.side(side)), DeviceMatrix.of(map.slice(), model.rank(), rank)));
      }
    }
  }

  /** Return the bytes that shared equations take. */
  static long bytes(List<ScoreCombination> scores, int rank) {
    long mapped =
        scores.stream()
            .flatMap(combination -> combination.models().stream())
            .mapToLong(model -> (long) model.rank() * rank)
            .sum();
    return (mapped + (long) rank * (rank + 1)) * Float.BYTES;
  }

  /** Return the background's matrix. */
  DeviceMemory gramian() {
    return gramian;
  }

  /**
   * Compute the background's right-hand sides of consecutive rows.
   *
   * @param rights receives one row each. Modified.
   */
  void rights(DeviceStream stream, int first, int count, DeviceMemory rights) {
    if (pull == null) {
      stream.clear(rights, (long) count * rank);
    } else {
      stream.launch(
          "repeat_row", LaunchGrid.elements((long) count * rank), 0, pull, count, rank, rights);
    }
    for (Mapping mapping : mappings) {
      stream
          .algebra()
          .multiply(
              1,
              mapping.factors.part(first, count, 0, mapping.factors.columns()),
              mapping.map,
              1,
              DeviceMatrix.of(rights.slice(), count, rank));
    }
  }
}
