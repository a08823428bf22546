package org.pecf.api.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EpochUnitTest {
  @Test
  void unitIsFoundByTheSizeOfTheMedian() {
    long seconds = 1_125_964_800L;
    assertEquals(EpochUnit.SECONDS, EpochUnit.of(seconds));
    assertEquals(EpochUnit.SECONDS, EpochUnit.of(0));
    assertEquals(EpochUnit.MILLISECONDS, EpochUnit.of(seconds * 1_000));
    assertEquals(EpochUnit.MICROSECONDS, EpochUnit.of(seconds * 1_000_000));
    assertEquals(EpochUnit.NANOSECONDS, EpochUnit.of(seconds * 1_000_000_000));
    assertEquals(EpochUnit.NANOSECONDS, EpochUnit.of(Long.MAX_VALUE));
    assertEquals(EpochUnit.SECONDS, EpochUnit.of(0, seconds, Long.MAX_VALUE));
    assertEquals(EpochUnit.MILLISECONDS, EpochUnit.of(0, seconds * 1_000, seconds * 1_000));
  }

  @Test
  void timesAreRoundedDown() {
    assertEquals(1, EpochUnit.MILLISECONDS.seconds(1_999));
    assertEquals(-1, EpochUnit.MILLISECONDS.seconds(-1));
    assertEquals(-7, EpochUnit.SECONDS.seconds(-7));
  }
}
