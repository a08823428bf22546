package org.pecf.engine.ensemble;

import org.pecf.api.memory.ScoreModel;

/**
 * Be a trained filter in an ensemble, and remember how it joined.
 *
 * @param model what it scores; owned by the ensemble
 * @param filterId the id of the filter that trained it
 * @param combination how it joined
 * @param alpha with which step length
 */
public record Member(ScoreModel model, String filterId, Combination combination, double alpha) {}
