package org.pecf.engine.construct;

import org.pecf.api.run.RunEvent;

/**
 * The event that the training of one of several independently started ensembles begins.
 *
 * @param chain counted from 1
 * @param chains the number of chains
 */
public record ChainStarted(int chain, int chains) implements RunEvent {
  @Override
  public String summary() {
    return "chain " + chain + "/" + chains;
  }
}
