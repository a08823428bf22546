package org.pecf.plugin.backend.cuda.device;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUctx_flags;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;
import jcuda.jcublas.cublasMath;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.backend.algebra.UnstableRows;

/**
 * A device that is set up for a session: a context of its own, the kernels, two streams.
 *
 * <p>A context belongs to one thread at a time: everything is done within {@link #use}.
 */
public final class Device implements AutoCloseable {
  /** The share of free memory that tiles may take: others use the device, too. */
  private static final double SHARE = 0.8;

  private final DeviceDescription description;
  private final BufferAllocator allocator;
  private final CUcontext context;
  private final int sharedBytes;
  private final TileSizes tiles;
  private final boolean exactProducts;
  private final UnstableRows unstableRows = new UnstableRows();
  private final KeptScores keptScores = new KeptScores(this);
  private @Nullable ShippedKernels kernels;
  private DeviceStream[] streams = {};
  private boolean closed;

  private Device(
      DeviceDescription description,
      BufferAllocator allocator,
      CUcontext context,
      int sharedBytes,
      TileSizes tiles,
      boolean exactProducts) {
    this.description = description;
    this.allocator = allocator;
    this.context = context;
    this.sharedBytes = sharedBytes;
    this.tiles = tiles;
    this.exactProducts = exactProducts;
  }

  /** Return the solver of rows in trouble, on the host. */
  public UnstableRows unstableRows() {
    return unstableRows;
  }

  /** Return the scores that are kept at every cell. */
  public KeptScores keptScores() {
    return keptScores;
  }

  /**
   * The setup of a device.
   *
   * @param ordinal the number of the device
   * @param mathMode the precision of products, as cuBLAS names it
   * @param tiles the largest pieces of work
   */
  public record Setup(int ordinal, int mathMode, TileSizes tiles) {}

  /**
   * Open a device.
   *
   * @param allocator the source of pinned memory
   */
  public static Device open(Setup setup, BufferAllocator allocator) {
    DeviceDescription description = Driver.describe(setup.ordinal());
    CUdevice number = new CUdevice();
    CudaFailure.check(JCudaDriver.cuDeviceGet(number, setup.ordinal()), "finding the device");
    int[] shared = new int[1];
    CudaFailure.check(
        JCudaDriver.cuDeviceGetAttribute(
            shared, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, number),
        "describing the device");
    CUcontext context = new CUcontext();
    CudaFailure.check(
        JCudaDriver.cuCtxCreate(context, CUctx_flags.CU_CTX_SCHED_AUTO, number),
        "opening " + description.name());
    JCudaDriver.cuCtxPopCurrent(new CUcontext());
    Device device =
        new Device(
            description,
            allocator,
            context,
            shared[0],
            setup.tiles(),
            setup.mathMode() != cublasMath.CUBLAS_TF32_TENSOR_OP_MATH);
    try {
      device.use(
          () -> {
            device.start(setup);
            return device;
          });
      return device;
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  private void start(Setup setup) {
    kernels = ShippedKernels.load();
    DeviceStream first = DeviceStream.open(kernels, allocator, setup.mathMode());
    streams = new DeviceStream[] {first};
    streams = new DeviceStream[] {first, DeviceStream.open(kernels, allocator, setup.mathMode())};
    inScratch(
        scratch -> {
          for (DeviceStream stream : streams) {
            SmokeTest.run(scratch, stream);
          }
          return this;
        });
  }

  /** Describe the device. */
  public DeviceDescription description() {
    return description;
  }

  /** Return the most shared memory that a block can have. */
  public int sharedBytes() {
    return sharedBytes;
  }

  /** Return whether products have the precision of floats. */
  public boolean exactProducts() {
    return exactProducts;
  }

  /** Return the largest pieces of work. */
  public TileSizes tiles() {
    return tiles;
  }

  /** Return one of the two streams; tiles take turns. */
  public DeviceStream stream(int turn) {
    return streams[turn & 1];
  }

  /** Wait for both streams. */
  public void await() {
    for (DeviceStream stream : streams) {
      stream.await();
    }
  }

  /** Wait for both streams, whether their work succeeds or not. */
  public void settle() {
    for (DeviceStream stream : streams) {
      stream.settle();
    }
  }

  /** Allocate memory of the device. */
  public DeviceMemory allocate(long bytes) {
    return DeviceMemory.allocate(bytes);
  }

  /** Allocate pinned memory. */
  public PinnedMemory pin(long bytes) {
    return PinnedMemory.allocate(allocator, bytes);
  }

  /** Do some work while the device belongs to this thread. */
  public <T> T use(Supplier<T> work) {
    CudaFailure.check(JCudaDriver.cuCtxPushCurrent(context), "turning to the device");
    try {
      return work.get();
    } finally {
      JCudaDriver.cuCtxPopCurrent(new CUcontext());
    }
  }

  /**
   * Do some work in scratch memory; whether it succeeds or not, both streams are idle before the
   * memory is released.
   */
  public <T> T inScratch(Function<Scratch, T> work) {
    try (Scratch scratch = new Scratch()) {
      try {
        T result = work.apply(scratch);
        await();
        return result;
      } catch (RuntimeException | Error e) {
        settle();
        throw e;
      }
    }
  }

  /** One step of many. */
  @FunctionalInterface
  public interface Step {
    /** Take the step of an index on a stream. */
    void on(int index, DeviceStream stream);
  }

  /**
   * Take steps on the two streams in turn: one is prepared and computed while the results of the
   * previous one are fetched.
   *
   * @param count the number of steps
   * @param start adds a step's work to a stream
   * @param finish waits for a step and fetches its results, in order
   */
  public void inTurns(int count, Step start, Step finish) {
    for (int index = 0; index < count + 2; index++) {
      if (index >= 2 && index - 2 < count) {
        finish.on(index - 2, stream(index));
      }
      if (index < count) {
        start.on(index, stream(index));
      }
    }
  }

  /** Return the number of bytes that are free on the device. */
  public long freeBytes() {
    long[] free = new long[1];
    long[] total = new long[1];
    CudaFailure.check(JCudaDriver.cuMemGetInfo(free, total), "asking for free memory");
    return free[0];
  }

  /**
   * Do some work in tiles as large as free memory allows, and again in tiles of half the size as
   * long as memory turns out not to suffice.
   *
   * @param what the work, for people
   * @param most the most useful rows of a tile
   * @param least the fewest rows to try
   * @param fixedBytes the memory that any tile takes
   * @param rowBytes the memory that each row of a tile adds
   * @param work does all the work, from the start, in tiles of the given number of rows
   */
  public <T> T inTiles(
      String what, int most, int least, long fixedBytes, long rowBytes, IntFunction<T> work) {
    long room = (long) (SHARE * freeBytes()) - fixedBytes;
    int rows = (int) Math.max(least, Math.min(most, room / Math.max(1, rowBytes)));
    rows = Math.min(rows, most);
    while (true) {
      try {
        return work.apply(rows);
      } catch (CudaFailure.OutOfMemory e) {
        if (rows <= least) {
          throw PecfException.resources(
                  "%s has too little memory for %s: at least %d MiB are needed, %d MiB are free."
                      + " Close other programs on the device, lower the rank, or use the cpu"
                      + " backend.",
                  description.name(), what, fixedBytes + rows * rowBytes >> 20, freeBytes() >> 20)
              .causedBy(e);
        }
        rows = Math.max(least, rows / 2);
      }
    }
  }

  /** Give the device back; nothing happens when it was given back before. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    JCudaDriver.cuCtxPushCurrent(context);
    for (DeviceStream stream : streams) {
      stream.close();
    }
    keptScores.close();
    if (kernels != null) {
      kernels.close();
    }
    JCudaDriver.cuCtxPopCurrent(new CUcontext());
    JCudaDriver.cuCtxDestroy(context);
  }
}
