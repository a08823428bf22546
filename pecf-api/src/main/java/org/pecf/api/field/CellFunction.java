package org.pecf.api.field;

import java.io.Serializable;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A function from the values that other fields have at a cell to a value for that cell.
 *
 * <p>This is the open door for weighting schemes: any backend can evaluate any function on the
 * host. A record is best: it is a serialisable value, and backends recognise the functions of this
 * package and evaluate them with their own instructions.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface CellFunction extends Serializable {
  /**
   * Return the value for the given arguments. Called from several threads.
   *
   * @param arguments one value a field. Not modified.
   */
  float value(float[] arguments);

  /**
   * Bound the values for arguments within the given ranges. The default knows nothing, which keeps
   * weights made from the function on the dense path.
   */
  default ValueRange range(List<ValueRange> arguments) {
    return ValueRange.UNBOUNDED;
  }
}
