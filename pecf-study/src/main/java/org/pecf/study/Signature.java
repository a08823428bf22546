package org.pecf.study;

import java.util.StringJoiner;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.run.TrainingRequest;

/** Write down all of a request that its figures depend on. */
final class Signature {
  private Signature() {}

  /**
   * Return a request as one line. Where the data lies, threads and memory are left out: the figures
   * do not depend on them.
   */
  static String of(TrainingRequest request) {
    return new StringJoiner(" ")
        .add(ensemble(request))
        .add("split=" + request.split())
        .add("seed=" + request.seed())
        .add("cutoffs=" + request.evaluation().cutoffs())
        .add("candidates=" + request.evaluation().candidates())
        .add("backend=" + text(request.compute().backend()))
        .add("path=" + request.compute().path())
        .add("weight-error=" + request.compute().weightError())
        .toString();
  }

  /** Return how a request builds its ensemble as one line. */
  static String ensemble(TrainingRequest request) {
    StringJoiner line = new StringJoiner(" ");
    request.filters().forEach(filter -> line.add("filter=" + text(filter)));
    line.add("construction=" + request.construction().id());
    if (request.construction() == Construction.EM) {
      line.add("em=" + request.em());
    } else if (request.construction() != Construction.SINGLE) {
      line.add("rounds=" + request.rounds())
          .add("patience=" + request.patience())
          .add("select=" + request.selection())
          .add("weighting=" + text(request.weighting()))
          .add("alpha=" + text(request.alpha()));
    }
    return line.add("chains=" + request.chains())
        .add("confidence=" + request.confidence().positive() + ":" + request.confidence().zero())
        .toString();
  }

  private static String text(ProviderChoice choice) {
    return choice.id() + choice.options();
  }
}
