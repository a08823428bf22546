package org.pecf.plugin.backend.cuda.device;

/**
 * A first small piece of work whose result is known, a kernel and a product, by the cuBLAS that
 * JCuda is made for.
 */
final class SmokeTest {
  private static final int ORDER = 4;
  private static final int CUBLAS = 12;

  private SmokeTest() {}

  /** Fail if a stream of a device does not compute what it should. */
  static void run(Scratch scratch, DeviceStream stream) {
    int version = stream.algebra().version();
    if (version / 10_000 != CUBLAS) {
      throw new CudaFailure(
          "trying the device",
          "cuBLAS %d.%d where %d is needed"
              .formatted(version / 10_000, version / 100 % 100, CUBLAS));
    }
    int count = ORDER * ORDER;
    DeviceMemory identity = scratch.floats(count);
    DeviceMemory matrix = scratch.floats(count);
    DeviceMemory product = scratch.floats(count);
    float[] expected = new float[count];
    for (int k = 0; k < count; k++) {
      expected[k] = k - 5.5f;
    }
    stream.launch("set_identity", LaunchGrid.rows(1), 0, identity, ORDER);
    stream.upload(matrix, 0, expected);
    stream
        .algebra()
        .multiply(
            2,
            DeviceMatrix.of(identity.slice(), ORDER, ORDER),
            DeviceMatrix.of(matrix.slice(), ORDER, ORDER),
            0,
            DeviceMatrix.of(product.slice(), ORDER, ORDER));
    float[] found = new float[count];
    stream.download(product, 0, found, count);
    for (int k = 0; k < count; k++) {
      if (found[k] != 2 * expected[k]) {
        throw new CudaFailure(
            "trying the device",
            "a product of the identity is %s where it should be %s"
                .formatted(found[k], 2 * expected[k]));
      }
    }
  }
}
