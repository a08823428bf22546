package org.pecf.plugin.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUmemAttach_flags;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pecf.api.compute.Availability;
import org.pecf.plugin.backend.cuda.StandIn.Count;
import org.pecf.plugin.backend.cuda.device.CudaFailure;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.PinnedMemory;
import org.pecf.plugin.backend.cuda.device.TileSizes;

/** The stand-in notices what it is there to notice. */
@ExtendWith(Needs.LoadedStandIn.class)
class StandInTest {
  private final RootAllocator root = new RootAllocator();

  @BeforeAll
  static void standIn() {
    assertTrue(backend(0).probe().available());
  }

  private static CudaBackend backend(int device) {
    CudaOptions options = new CudaOptions(device, CudaOptions.Math.FULL);
    return new CudaBackend(options, TileSizes.USEFUL);
  }

  @Test
  void theChosenDeviceIsProbed() {
    Availability availability = backend(99).probe();
    assertFalse(availability.available());
    assertTrue(
        availability.explanation().startsWith("There is no CUDA device 99."),
        availability.explanation());
  }

  @AfterEach
  void closeMemory() {
    root.close();
    assertEquals(List.of(), StandIn.leaks());
  }

  private void onDevice(Consumer<Device> use) {
    try (Device device = Device.open(new Device.Setup(0, 0, TileSizes.USEFUL), root)) {
      device.use(
          () -> {
            use.accept(device);
            return null;
          });
    }
  }

  /** Nothing is done before somebody waits for it: who does not wait sees what was there before. */
  @Test
  void workIsNotDoneBeforeItIsWaitedFor() {
    onDevice(
        device -> {
          try (DeviceMemory memory = device.allocate(64);
              PinnedMemory pinned = device.pin(64)) {
            MemoryUtil.putInt(pinned.address(0), 42);
            device.stream(0).clear(memory, 16);
            device.stream(0).copyOut(memory, pinned, 64);
            assertEquals(42, MemoryUtil.getInt(pinned.address(0)), "before waiting");
            device.stream(1).await();
            assertEquals(42, MemoryUtil.getInt(pinned.address(0)), "after waiting for another");
            device.stream(0).await();
            assertEquals(0, MemoryUtil.getInt(pinned.address(0)), "after waiting");
          }
        });
  }

  /** What is copied from pinned memory is what is there when the copy is made. */
  @Test
  void pinnedMemoryThatIsChangedTooEarlySpoilsACopy() {
    onDevice(
        device -> {
          try (DeviceMemory memory = device.allocate(64);
              PinnedMemory pinned = device.pin(64)) {
            MemoryUtil.putInt(pinned.address(0), 1);
            device.stream(0).copyIn(pinned, memory, 64);
            MemoryUtil.putInt(pinned.address(0), 2);
            int[] arrived = new int[1];
            device.stream(0).download(memory, 0, arrived, 1);
            assertEquals(2, arrived[0]);
          }
        });
  }

  @Test
  void freshMemoryHoldsNoNumbers() {
    onDevice(
        device -> {
          try (DeviceMemory memory = device.allocate(8)) {
            float[] found = new float[2];
            device.stream(0).download(memory, 0, found, 2);
            assertTrue(Float.isNaN(found[0]) && Float.isNaN(found[1]));
          }
        });
  }

  /** The host can neither read nor write what a device address names. */
  @Test
  void deviceAddressesMeanNothingToTheHost() {
    onDevice(
        device -> {
          try (DeviceMemory memory = device.allocate(64)) {
            boolean closed = false;
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
              String[] range = line.split(" ", 3)[0].split("-");
              long start = Long.parseUnsignedLong(range[0], 16);
              long end = Long.parseUnsignedLong(range[1], 16);
              if (memory.address() >= start && memory.address() < end) {
                assertTrue(line.split(" ")[1].startsWith("---"), line);
                closed = true;
              }
            }
            assertTrue(closed, "the address is reserved");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  void memoryUsedAfterItWasFreedBreaksTheDevice() {
    onDevice(
        device -> {
          DeviceMemory memory = device.allocate(64);
          DeviceStream stream = device.stream(0);
          stream.launch("set_identity", LaunchGrid.rows(1), 0, memory, 4);
          memory.close();
          CudaFailure failure = assertThrows(CudaFailure.class, stream::await);
          assertTrue(
              failure.getMessage().endsWith("CUDA_ERROR_ILLEGAL_ADDRESS"), failure.getMessage());
        });
  }

  @Test
  void memoryFreedTwiceIsCounted() {
    long before = StandIn.count(Count.WRONG_FREES);
    onDevice(
        device -> {
          DeviceMemory memory = device.allocate(64);
          memory.close();
          memory.close();
        });
    assertEquals(before + 1, StandIn.count(Count.WRONG_FREES));
    StandIn.forgetWrongFrees();
  }

  @Test
  void everythingElseIsNotSupported() {
    onDevice(
        device ->
            assertEquals(
                CUresult.CUDA_ERROR_NOT_SUPPORTED,
                JCudaDriver.cuMemAllocManaged(
                    new CUdeviceptr(), 64, CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)));
  }

  @Test
  void deviceMayBeClosedTwice() {
    Device device = Device.open(new Device.Setup(0, 0, TileSizes.USEFUL), root);
    device.close();
    device.close();
    assertEquals(List.of(), StandIn.leaks());
  }

  /** A backend that is chosen by itself is tried first: what fails then is passed over. */
  @Test
  void deviceThatDoesNotComputeIsNotOpened() {
    for (StandIn.Failure failure :
        List.of(
            StandIn.Failure.ALLOCATION,
            StandIn.Failure.LAUNCH,
            StandIn.Failure.EXECUTION,
            StandIn.Failure.PRODUCT)) {
      StandIn.failAfter(failure, 0);
      assertThrows(
          CudaFailure.class,
          () -> Device.open(new Device.Setup(0, 0, TileSizes.USEFUL), root),
          failure.name());
      StandIn.failNever();
    }
  }

  @Test
  void deviceWithAnotherCublasIsNotOpened() {
    StandIn.setCublasVersion(130100);
    CudaFailure refused =
        assertThrows(
            CudaFailure.class, () -> Device.open(new Device.Setup(0, 0, TileSizes.USEFUL), root));
    StandIn.setCublasVersion(120600);
    assertEquals(
        "trying the device failed with cuBLAS 13.1 where 12 is needed", refused.getMessage());
  }
}
