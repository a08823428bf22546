package org.pecf.api.compute;

import org.apiguardian.api.API;
import org.pecf.api.field.CellField;

/**
 * A weighted least-squares factorisation, which minimises {@code sum w_ij (t_ij - u_i . v_j)^2 +
 * sum_i lambda_i / 2 |u_i|^2 + sum_j lambda_j / 2 |v_j|^2}.
 *
 * @param weights w, nowhere negative
 * @param targets t
 * @param rank how many factors
 * @param ridge the penalties
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record LeastSquaresRequest(CellField weights, CellField targets, int rank, Ridge ridge) {}
