package org.pecf.plugin.backend.cuda.field;

import java.util.List;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.Window;

/**
 * The instructions by which fields are computed cell by cell, by kernel {@code evaluate_fields},
 * and their inputs: combinations of scores, sets of cells, and tiles that only the host can
 * compute.
 *
 * @param slots the combinations of scores, each a tile
 * @param hostFields the fields that the host computes, each a tile after those of the scores
 * @param sets the sets of cells whose marks are needed
 * @param outputs the number of fields
 * @param length the number of instructions
 * @param code the instructions, four ints each, and the parameters of part masks after them
 * @param constants the constants that instructions refer to
 * @param depth the largest number of values on the stack
 */
public record CudaFieldProgram(
    List<ScoreCombination> slots,
    List<CellField> hostFields,
    List<SparseCells> sets,
    int outputs,
    int length,
    int[] code,
    float[] constants,
    int depth) {
  /** Compile fields that are evaluated together. */
  public static CudaFieldProgram of(List<CellField> fields) {
    return new CudaFieldCompiler().compile(fields);
  }

  /** Compile weights, and weights times targets, with the weights evaluated once. */
  public static CudaFieldProgram ofProduct(CellField weights, CellField targets) {
    return new CudaFieldCompiler().compileProduct(weights, targets);
  }

  /** Return the number of tiles that are read. */
  int tiles() {
    return slots.size() + hostFields.size();
  }

  /** Return the bytes of buffers that a window takes. */
  public long bytes(Window window) {
    long bytes =
        (tiles() + outputs) * window.cells() * Float.BYTES
            + sets.size() * Marks.words(window) * Integer.BYTES;
    for (CellField field : hostFields) {
      if (field instanceof Apply apply) {
        bytes += of(apply.arguments()).bytes(window);
      }
    }
    return bytes;
  }
}
