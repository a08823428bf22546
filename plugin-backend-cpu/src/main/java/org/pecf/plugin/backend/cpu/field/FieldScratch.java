package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.List;
import org.pecf.backend.algebra.FloatSlice;
import org.pecf.backend.algebra.OffHeapFloats;
import org.pecf.backend.algebra.ScratchFloats;
import org.pecf.backend.algebra.Worker;

/** The memory in which one worker evaluates fields. */
final class FieldScratch {
  private final Worker worker;
  private final ScratchFloats host;
  private final ScratchFloats mask;
  private final List<ScratchFloats> hostRows = new ArrayList<>();
  private final List<ScratchFloats> userPanels = new ArrayList<>();
  private final List<ScratchFloats> scoreTiles = new ArrayList<>();

  private FieldScratch(Worker worker) {
    this.worker = worker;
    this.host = worker.scratch();
    this.mask = worker.scratch();
  }

  /** Return the scratch memory of a worker. */
  static FieldScratch of(Worker worker) {
    return worker.kernel(FieldScratch.class, FieldScratch::new);
  }

  /** Return memory for the values of a host field. */
  OffHeapFloats host(int count) {
    return host.floats(count);
  }

  /** Return memory for rows of scores that the host computes. */
  OffHeapFloats hostRows(int host, long count) {
    return scratch(hostRows, host).floats(count);
  }

  /** Return memory for the values of a part mask. */
  OffHeapFloats mask(int count) {
    return mask.floats(count);
  }

  /** Return memory for the joined user factors of a slot. */
  FloatSlice userPanel(int slot, long count) {
    return scratch(userPanels, slot).slice(count);
  }

  /** Return memory for a tile of scores of a slot. */
  OffHeapFloats scoreTile(int slot) {
    return scratch(scoreTiles, slot).floats((long) TileEvaluator.USERS * TileEvaluator.ITEMS);
  }

  private ScratchFloats scratch(List<ScratchFloats> bySlot, int slot) {
    while (bySlot.size() <= slot) {
      bySlot.add(worker.scratch());
    }
    return bySlot.get(slot);
  }
}
