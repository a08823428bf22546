package org.pecf.plugin.loaders.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

class RatingColumnsTest {
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, true, true);

  @Test
  void theSinkSaysThatThereIsNoMemoryLeft() {
    RatingColumns ratings = new RatingColumns(SCHEMA);
    ratings.reserve(1000);
    for (int i = 0; i < 1000; i++) {
      ratings.add(i, i);
    }
    // Room for the users, but not for the items.
    try (RootAllocator allocator = new RootAllocator(12_000)) {
      RatingSink sink =
          new RatingSink() {
            @Override
            public RatingBatch batch(RatingSchema schema, int capacity) {
              try {
                return RatingBatch.allocate(allocator, schema, capacity);
              } catch (OutOfMemoryException e) {
                throw new IllegalStateException("its own words", e);
              }
            }

            @Override
            public void publish(long ordinal, RatingBatch batch, int count) {
              fail("there is no memory for a batch");
            }
          };
      Exception problem = assertThrows(IllegalStateException.class, () -> ratings.publish(sink, 0));
      assertEquals("its own words", problem.getMessage());
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }
}
