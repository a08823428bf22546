package org.pecf.benchmarks.ranksys;

import es.uam.eps.ir.ranksys.mf.Factorizer;
import es.uam.eps.ir.ranksys.mf.als.HKVFactorizer;

/** RankSys' exact alternating least squares. */
public final class HkvPeer extends RankSysPeer {
  @Override
  public String name() {
    return "RankSys 0.4.3 HKV";
  }

  @Override
  Factorizer<Integer, Integer> factorizer(int sweeps) {
    return new HKVFactorizer<>(LAMBDA, CONFIDENCE, sweeps);
  }
}
