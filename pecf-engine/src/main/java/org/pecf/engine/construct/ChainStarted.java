package org.pecf.engine.construct;

import org.pecf.api.run.RunEvent;

/**
 * Say that one of several independently started ensembles is begun.
 *
 * @param chain counted from 1
 * @param chains how many there are
 */
public record ChainStarted(int chain, int chains) implements RunEvent {
  @Override
  public String summary() {
    return "chain " + chain + "/" + chains;
  }
}
