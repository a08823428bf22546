package org.pecf.api.filter;

import java.util.Map;
import org.apiguardian.api.API;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.Side;

/**
 * A row that a factor model was not trained on: a new user, or the mirror image, a new item.
 *
 * @param side the side of the row
 * @param positives the cells that are rated 1: indexes of the other side, ascending. Not modified.
 * @param weights the weight that training would have given each cell of the row. Not modified.
 * @param targets the target that training would have given each cell of the row. Not modified.
 * @param others the factors of the other side, one row for each cell; lent
 * @param settings the texts of the model's {@link org.pecf.api.memory.RowRule.OfFilter}
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record NewRow(
    Side side,
    int[] positives,
    float[] weights,
    float[] targets,
    FloatMatrix others,
    Map<String, String> settings) {}
