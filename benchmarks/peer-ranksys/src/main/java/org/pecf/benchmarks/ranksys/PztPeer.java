package org.pecf.benchmarks.ranksys;

import es.uam.eps.ir.ranksys.mf.Factorizer;
import es.uam.eps.ir.ranksys.mf.als.PZTFactorizer;

/** RankSys' alternating coordinate descent, one step per factor: an approximation. */
public final class PztPeer extends RankSysPeer {
  @Override
  public String name() {
    return "RankSys 0.4.3 PZT";
  }

  @Override
  Factorizer<Integer, Integer> factorizer(int sweeps) {
    return new PZTFactorizer<>(LAMBDA, CONFIDENCE, sweeps);
  }
}
