package org.pecf.engine.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.MemoryBudget;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;

class MemoryBudgetTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 64, 960_000, (5 << 20) + 64})
  void whatFitsCanBeTaken(long bytes) {
    long budget = (bytes + 63) / 64 * 64;
    try (BufferAllocator allocator = MemoryBudget.allocator(budget);
        BufferAllocator child = allocator.newChildAllocator("child", 0, budget);
        ArrowBuf buffer = child.buffer(bytes)) {
      assertEquals(budget, buffer.capacity());
      assertEquals(budget, allocator.getAllocatedMemory());
    }
  }

  @Test
  void twoHalvesMakeAWhole() {
    try (BufferAllocator allocator = MemoryBudget.allocator(6 << 20);
        ArrowBuf first = allocator.buffer(3 << 20);
        ArrowBuf second = allocator.buffer(3 << 20)) {
      assertEquals(first.capacity() + second.capacity(), allocator.getLimit());
    }
  }

  @Test
  void modelsThatCannotFitAreRefusedBeforeAnyWork() {
    try (Workspace workspace =
        new Workspace(
            PluginCatalog.builtIn(),
            ComputeRequest.of(Map.of("memory", "64m")),
            RunListener.none(),
            () -> false)) {
      workspace.requireMemory(64 << 20, 3);

      PecfException refusal =
          assertThrows(PecfException.class, () -> workspace.requireMemory((200L << 20) + 1, 3));
      assertEquals(ErrorCode.RESOURCES, refusal.code());
      assertEquals(
          "The models of 3 members take about 200 MiB of memory, of which 64 MiB are left. Allow"
              + " more memory, or lower the rank or the number of members.",
          refusal.getMessage());
    }
  }
}
