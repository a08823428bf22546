package org.pecf.api.ensemble;

import org.apiguardian.api.API;
import org.pecf.api.field.CellField;

/**
 * Describe the step of which alpha is the length.
 *
 * @param members how many members the ensemble has without the new one
 * @param training c on the training cells, zero elsewhere
 * @param validation c on the validation cells, zero elsewhere
 * @param trainingResidual what the ensemble has yet to explain, r - f, with the training ratings
 * @param validationResidual the same with the validation ratings
 * @param direction g - f when members are mixed, g when they are added up
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record AlphaStep(
    int members,
    CellField training,
    CellField validation,
    CellField trainingResidual,
    CellField validationResidual,
    CellField direction) {}
