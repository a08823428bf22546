package org.pecf.engine.run;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.pecf.api.PecfException;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.data.Part;
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.effort.Race;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.evaluate.CandidatePool;
import org.pecf.engine.evaluate.Metrics;
import org.pecf.engine.request.TrainingRequest;
import org.pecf.engine.resource.Workspace;

/**
 * The trainings of a race on loaded data.
 *
 * @param given the request that settings are chosen for
 * @param library the scope with the library in which members are kept
 */
record RaceTrials(PreparedData data, TrainingRequest given, RunScope library)
    implements Race.Trials {
  @Override
  public Race.Trial train(TrainingRequest request, boolean kept) {
    data.workspace().cancellation().check();
    RunScope scope =
        new RunScope(
            Set.of(),
            false,
            Optional.empty(),
            Optional.empty(),
            kept ? library.library() : Optional.empty(),
            library.passing());
    TrainingResult result = new TrainingRun(request, data, scope).run();
    try {
      if (!result.complete()) {
        throw PecfException.cancelled();
      }
      List<MemberFinished> rounds = result.rounds();
      Map<String, Double> validation = rounds.get(rounds.size() - 1).validation();
      List<Member> members = result.ensemble().members();
      return new Race.Trial(
          Objects.requireNonNull(validation.get(given.ensemble().selection().toString())),
          members.get(members.size() - 1).model(),
          result::close);
    } catch (RuntimeException | Error e) {
      result.close();
      throw e;
    }
  }

  @Override
  public <T> T mixing(
      List<ScoreModel> models, long mostCandidates, Function<CandidatePool.Source, T> use) {
    Workspace workspace = data.workspace();
    try (ComputeSession session =
        workspace.openUnannounced(data.dataset().shape(), workspace.compute().path())) {
      return use.apply(
          new CandidatePool.Source(
              models,
              data.split(given.split(), given.seed()).part(Part.VALIDATION),
              Metrics.of(given.evaluation(), workspace.catalog()),
              given.ensemble().selection(),
              mostCandidates,
              session.fields(),
              workspace.context()));
    }
  }
}
