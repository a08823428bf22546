package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.field.CellField;

/**
 * The step of which alpha is the length, on the cells that the strategy asked for: the training
 * cells, or the validation cells where {@link AlphaStrategy#usesValidation} says so.
 *
 * @param members how many members the ensemble has without the new one
 * @param confidence c on those cells, zero elsewhere
 * @param residual the part of their ratings that the ensemble has yet to explain, r - f
 * @param direction g - f when members are mixed, g when they are added up
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AlphaStep(
    int members, CellField confidence, CellField residual, CellField direction) {}
