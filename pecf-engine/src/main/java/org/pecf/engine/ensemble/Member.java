package org.pecf.engine.ensemble;

import java.util.Optional;
import org.pecf.api.memory.ScoreModel;

/**
 * A trained filter in an ensemble, and the way it joined.
 *
 * @param model the trained model, owned by the ensemble
 * @param filterId the id of the filter that trained it
 * @param combination the way it joined
 * @param alpha the step length with which it joined
 * @param fit how it was fitted, if that is known
 */
public record Member(
    ScoreModel model,
    String filterId,
    Combination combination,
    double alpha,
    Optional<MemberFit> fit) {}
