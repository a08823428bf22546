package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.List;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.backend.field.FactorSums;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMatrix;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;

/**
 * Products of tall matrices of factors, computed on the device.
 *
 * @param context the context of the session
 * @param device the device
 * @param copies the copies of the factors
 */
record CudaFactorProducts(SessionContext context, Device device, DeviceCopies copies)
    implements FactorSums {
  @Override
  public double[] columnSums(FloatMatrix matrix) {
    return columnSums(device, copies.matrix(matrix));
  }

  /** Return the sum of every column. */
  static double[] columnSums(Device device, DeviceMatrix matrix) {
    return device.inScratch(
        working -> {
          DeviceStream stream = device.stream(0);
          DeviceMemory sums = working.doubles(matrix.columns());
          stream.clear(sums, 2L * matrix.columns());
          stream.launch(
              "sum_columns",
              LaunchGrid.elements(matrix.columns()),
              0,
              matrix.floats(),
              matrix.rows(),
              matrix.columns(),
              sums);
          double[] found = new double[matrix.columns()];
          stream.download(sums, found);
          return found;
        });
  }

  @Override
  public double[] gramianProducts(List<Pair> pairs) {
    double[] products = new double[pairs.size()];
    for (int k = 0; k < products.length; k++) {
      context.run().cancellation().check();
      products[k] = gramianProduct(pairs.get(k).left(), pairs.get(k).right());
    }
    return products;
  }

  private double gramianProduct(FactorModel left, FactorModel right) {
    return device.inScratch(
        working -> {
          float[] users = cross(working, left.users(), right.users());
          float[] items = cross(working, left.items(), right.items());
          double product = 0;
          for (int k = 0; k < users.length; k++) {
            product += (double) users[k] * items[k];
          }
          return product;
        });
  }

  private float[] cross(Scratch working, FloatMatrix left, FloatMatrix right) {
    float[] values = new float[left.columns() * right.columns()];
    DeviceMemory product = working.floats(values.length);
    DeviceStream stream = device.stream(0);
    cross(stream, copies.matrix(left), copies.matrix(right), 1, product);
    stream.download(product, 0, values, values.length);
    return values;
  }

  /**
   * Compute {@code target = scale left' right}.
   *
   * @param target Modified.
   */
  static void cross(
      DeviceStream stream,
      DeviceMatrix left,
      DeviceMatrix right,
      float scale,
      DeviceMemory target) {
    stream
        .algebra()
        .multiply(
            scale,
            left.transpose(),
            right,
            0,
            DeviceMatrix.of(target.slice(), left.columns(), right.columns()));
  }
}
