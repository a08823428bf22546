package org.pecf.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
}
