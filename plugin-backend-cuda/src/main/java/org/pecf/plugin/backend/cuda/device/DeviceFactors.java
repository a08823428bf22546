package org.pecf.plugin.backend.cuda.device;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.memory.util.MemoryUtil;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.Side;
import org.pecf.api.run.Parallelism;

/**
 * The factors of a model on the device, kept from one step of training to the next.
 *
 * <p>The model itself is memory of the host that may change between two steps. So the content that
 * was last copied either way is remembered, and a side is copied to the device again only if it
 * differs.
 */
public final class DeviceFactors implements AutoCloseable {
  /** The bytes that a thread compares or copies at once. */
  private static final long PIECE = 1 << 22;

  private final Device device;
  private final Parallelism parallelism;
  private final Half users;
  private final Half items;

  /**
   * Allocate room for the factors of a grid.
   *
   * @param parallelism compares and copies them on the host
   */
  public DeviceFactors(Device device, Parallelism parallelism, GridShape shape, int rank) {
    this.device = device;
    this.parallelism = parallelism;
    users = new Half(FloatMatrix.bytes(shape.users(), rank));
    Half second;
    try {
      second = new Half(FloatMatrix.bytes(shape.items(), rank));
    } catch (RuntimeException | Error e) {
      users.close();
      throw e;
    }
    items = second;
  }

  /** One side: on the device, and the same content in memory of the host. */
  private final class Half {
    private final long bytes;
    private final DeviceMemory memory;
    private final PinnedMemory shadow;
    private boolean known;

    Half(long bytes) {
      this.bytes = bytes;
      memory = device.allocate(bytes);
      try {
        shadow = device.pin(bytes);
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    FloatMatrix checked(FloatMatrix matrix) {
      if (FloatMatrix.bytes(matrix.rows(), matrix.columns()) != bytes) {
        throw new IllegalArgumentException(
            matrix.rows() + " x " + matrix.columns() + " factors are not of the problem's size");
      }
      return matrix;
    }

    boolean holds(long address) {
      if (!known) {
        return false;
      }
      AtomicBoolean same = new AtomicBoolean(true);
      inPieces(
          (at, count) -> {
            ByteBuffer own = MemoryUtil.directBuffer(shadow.address(at), count);
            if (same.get() && own.mismatch(MemoryUtil.directBuffer(address + at, count)) >= 0) {
              same.set(false);
            }
          });
      known = same.get();
      return known;
    }

    /** Copy the content of the host, all at once, from one address to another. */
    void copy(long source, long target) {
      inPieces((at, count) -> MemoryUtil.copyMemory(source + at, target + at, count));
    }

    private void inPieces(Piece work) {
      parallelism.forEach(
          (int) ((bytes + PIECE - 1) / PIECE),
          (piece, worker) -> work.on(piece * PIECE, (int) Math.min(PIECE, bytes - piece * PIECE)));
    }

    void close() {
      shadow.close();
      memory.close();
    }
  }

  /** A piece of work on some bytes. */
  private interface Piece {
    void on(long first, int count);
  }

  private Half half(Side side) {
    return side == Side.USERS ? users : items;
  }

  /** Return one side of a model on the device, copied there if it differs. */
  public DeviceMemory load(Side side, FactorModel factors) {
    Half half = half(side);
    long address = half.checked(factors.side(side)).rowAddress(0);
    if (!half.holds(address)) {
      half.copy(address, half.shadow.address(0));
      device.stream(0).copyIn(half.shadow, half.memory, half.bytes);
      device.stream(0).await();
      half.known = true;
    }
    return half.memory;
  }

  /** Return one side on the device, about to be changed there. */
  public DeviceMemory change(Side side) {
    half(side).known = false;
    return half(side).memory;
  }

  /** Copy one side back to the model; all work on it must be done. */
  public void store(Side side, FactorModel factors) {
    Half half = half(side);
    device.stream(0).copyOut(half.memory, half.shadow, half.bytes);
    device.stream(0).await();
    half.copy(half.shadow.address(0), half.checked(factors.side(side)).writable().rowAddress(0));
    half.known = true;
  }

  @Override
  public void close() {
    items.close();
    users.close();
  }
}
