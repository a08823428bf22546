package org.pecf.engine.effort;

import java.util.List;
import java.util.Locale;
import org.pecf.api.run.RunEvent;

/** The events of a race, which {@link SettingsChosen} ends. */
public sealed interface RaceEvent extends RunEvent {
  /**
   * The beginning of a race. Events of its trainings follow.
   *
   * @param effort the effort, or the budget
   * @param filters the ids of the filters that take part
   */
  record RaceStarted(String effort, List<String> filters) implements RaceEvent {
    public RaceStarted {
      filters = List.copyOf(filters);
    }

    @Override
    public String summary() {
      return "choosing settings with " + effort + " effort among " + String.join(", ", filters);
    }
  }

  /**
   * The end of a candidate's training.
   *
   * @param candidate the candidate
   * @param number its number, counted from 1
   * @param spent the share of the work that is spent
   * @param leads whether it is the best so far
   * @param metric the name of the score
   */
  record CandidateMeasured(
      Candidate candidate, int number, double spent, boolean leads, String metric)
      implements RaceEvent {
    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "candidate %d: %s %.4f by %s; %.1f processor seconds",
          number,
          metric,
          candidate.score(),
          candidate.words(),
          candidate.seconds());
    }
  }

  /**
   * The judgement of the model that helps a mixture most.
   *
   * @param candidate the model
   * @param members the number of members with it
   * @param before the metric of the mixture without it, judged by other users than it was fitted to
   * @param after the metric with it
   * @param joins whether it joins: only if it helps beyond chance
   * @param metric the name of the metric
   */
  record MemberJudged(
      Candidate candidate, int members, double before, double after, boolean joins, String metric)
      implements RaceEvent {
    @Override
    public String summary() {
      return String.format(
          Locale.ROOT,
          "%s as member %d: %s %.4f after %.4f%s",
          candidate.words(),
          members,
          metric,
          after,
          before,
          joins ? "" : ", which may be chance; it does not join");
    }
  }
}
