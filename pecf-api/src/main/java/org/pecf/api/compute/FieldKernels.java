package org.pecf.api.compute;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apiguardian.api.API;
import org.pecf.api.field.CellField;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.SparseCells;

/** The kernels that evaluate cell fields. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface FieldKernels {
  /**
   * Sum each field over all cells of the grid, in one pass over it.
   *
   * @return one sum a field, accumulated in double precision in an order that depends on the grid
   *     alone
   */
  double[] sums(List<CellField> fields);

  /**
   * Evaluate a field at given cells.
   *
   * @param field the field to evaluate
   * @param cells where
   * @param values receives {@code cells.count()} floats in by-user order. Modified.
   */
  void gather(CellField field, SparseCells cells, ArrowBuf values);

  /**
   * Evaluate a field on a tile of the grid.
   *
   * @param field the field to evaluate
   * @param firstUser the user of the tile's first row
   * @param firstItem the item of the tile's first column
   * @param tile as many rows and columns as cells are wanted. Modified.
   */
  void fill(CellField field, int firstUser, int firstItem, FloatMatrix tile);
}
