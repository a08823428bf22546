package org.pecf.engine.effort;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.pecf.api.run.RunListener;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.NextMember;
import org.pecf.engine.effort.RaceEvent.MemberJudged;
import org.pecf.engine.effort.RaceTrainings.Contender;

/**
 * The ensemble that grows from the best settings of a race: it begins with the best model of all
 * and takes one more as long as that helps beyond chance, of the other kinds, of further starts or
 * of further settings of the best kinds.
 */
final class RaceGrowth {
  private static final String FILTER = "filter";
  private static final String ROUNDS = "rounds";

  /** The models in a row that do not help after which the ensemble is complete. */
  private static final int MOST_MISSES = 3;

  private final List<Entrant> racing;
  private final RaceTrainings trainings;
  private final Effort effort;
  private final OptionalInt rounds;
  private final RunListener listener;
  private final List<String> reasons;

  /**
   * Prepare the growth.
   *
   * @param racing the filters, the best first. Not modified.
   * @param rounds the number of members after the first, if it was given
   * @param reasons receives sentences that say why. Modified.
   */
  RaceGrowth(
      List<Entrant> racing,
      RaceTrainings trainings,
      Effort effort,
      OptionalInt rounds,
      RunListener listener,
      List<String> reasons) {
    this.racing = racing;
    this.trainings = trainings;
    this.effort = effort;
    this.rounds = rounds;
    this.listener = listener;
    this.reasons = reasons;
  }

  /**
   * Train the best of each kind in full and grow the ensemble from them.
   *
   * @param whole the models that are trained in full already; those used are taken out. Modified.
   * @return the options of the ensemble: texts by key
   */
  Map<String, String> grow(Map<Entrant, Contender> whole) {
    List<Contender> contenders = new ArrayList<>();
    try {
      for (Entrant entrant : racing) {
        Contender known = whole.remove(entrant);
        if (known != null) {
          contenders.add(known);
        } else if (contenders.isEmpty()
            || trainings.spent() + entrant.work(entrant.point(0).orElseThrow())
                <= trainings.limit()) {
          contend(entrant, 0, 1).ifPresent(contenders::add);
        }
      }
      if (contenders.isEmpty()) {
        throw trainings.failure();
      }
      contenders.sort(
          Comparator.comparingDouble((Contender of) -> trainings.signed(of.trial().score()))
              .reversed());
      return options(members(contenders));
    } finally {
      contenders.forEach(contender -> contender.trial().release().run());
    }
  }

  /**
   * Train a filter in full.
   *
   * @param rank which of its settings, 0 for the best
   * @param copy which start: 1 for the first
   */
  private Optional<Contender> contend(Entrant entrant, int rank, int copy) {
    double[] point = entrant.point(rank).orElseThrow();
    Map<String, String> settings = entrant.settings(point);
    return trainings.train(
        Collections.nCopies(copy, entrant.choice(settings)),
        settings,
        trainings.fullWork(entrant, point),
        true);
  }

  /** A further training that may help an ensemble: of a filter's settings, with another start. */
  private record Further(Entrant entrant, int rank, int copy) {}

  /** Return the further trainings worth a try, the most promising first. */
  private List<Further> further() {
    List<Further> further = new ArrayList<>();
    for (int k = 1; k <= Effort.THOROUGH.members(); k++) {
      for (Entrant entrant : racing.subList(0, Math.min(2, racing.size()))) {
        if (entrant.point(k).isPresent()) {
          further.add(new Further(entrant, k, 1));
        }
        // A filter without sweeps starts nowhere: another training gives the same model.
        if (entrant.iterations(entrant.start()).isPresent()) {
          further.add(new Further(entrant, 0, k + 1));
        }
      }
    }
    return further;
  }

  /**
   * Grow the ensemble from the best contender.
   *
   * @param contenders the best of each kind, the best first. Further ones are added.
   * @return the members with their weights
   */
  private Map<Contender, Double> members(List<Contender> contenders) {
    int most = rounds.isPresent() ? rounds.getAsInt() + 1 : effort.members();
    List<Integer> members = new ArrayList<>(List.of(0));
    List<Double> weights = List.of(1.0);
    Deque<Further> further = new ArrayDeque<>(further());
    int misses = 0;
    while (members.size() < most) {
      Optional<NextMember> next = trainings.next(contenders, members, weights);
      boolean joins = next.filter(NextMember::helps).isPresent();
      next.ifPresent(judged -> report(judged, contenders, members.size() + 1, joins));
      if (joins) {
        members.add(next.orElseThrow().model());
        weights = next.orElseThrow().weights();
        misses = 0;
      } else {
        Further other = further.poll();
        while (other != null && !canFollow(other, contenders, members)) {
          other = further.poll();
        }
        if (other == null || misses == MOST_MISSES || !isAffordable(other)) {
          break;
        }
        misses++;
        contend(other.entrant, other.rank, other.copy).ifPresent(contenders::add);
      }
    }
    Map<Contender, Double> weighted = new LinkedHashMap<>();
    double sum = weights.stream().mapToDouble(Math::abs).sum();
    for (int k = 0; k < members.size(); k++) {
      weighted.put(contenders.get(members.get(k)), weights.get(k) / sum);
    }
    return weighted;
  }

  /**
   * Return whether a training could be a member: the plan numbers the starts of equal settings in
   * the order of its members, so a further start needs that all before it are members.
   */
  private static boolean canFollow(
      Further other, List<Contender> contenders, List<Integer> members) {
    Map<String, String> settings =
        other.entrant.settings(other.entrant.point(other.rank).orElseThrow());
    return other.copy == 1
        || members.stream()
            .map(contenders::get)
            .anyMatch(
                member ->
                    member.candidate().filter().equals(other.entrant.filter())
                        && member.candidate().settings().equals(settings)
                        && member.copy() == other.copy - 1);
  }

  private boolean isAffordable(Further other) {
    double work = trainings.fullWork(other.entrant, other.entrant.point(other.rank).orElseThrow());
    return trainings.spent() + work <= trainings.limit();
  }

  private void report(NextMember judged, List<Contender> contenders, int number, boolean joins) {
    Contender contender = contenders.get(judged.model());
    listener.on(
        new MemberJudged(
            contender.candidate(),
            number,
            judged.before(),
            judged.after(),
            joins,
            trainings.metric().toString()));
    if (joins) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "member %d, %s: %s %.4f -> %.4f, judged by users it was not fitted to.",
              number,
              contender.candidate().filter() + (contender.copy() > 1 ? " from another start" : ""),
              trainings.metric(),
              judged.before(),
              judged.after()));
    }
  }

  /** Return the options of the ensemble: texts by key. */
  private Map<String, String> options(Map<Contender, Double> members) {
    Map<String, String> options = new LinkedHashMap<>();
    boolean one = members.size() == 1;
    if (one) {
      reasons.add("no mixture was better than the best filter beyond chance: it is the model.");
    }
    boolean single = one && !rounds.isPresent();
    options.put("construction", (single ? Construction.SINGLE : Construction.GREEDY).id());
    options.put(FILTER, members.keySet().stream().map(this::text).collect(Collectors.joining(",")));
    if (!single) {
      options.put(
          "weights",
          members.values().stream()
              .map(weight -> String.format(Locale.ROOT, "%.4f", weight))
              .collect(Collectors.joining(",")));
    }
    if (rounds.isPresent()) {
      options.put(ROUNDS, Integer.toString(members.size() - 1));
    }
    return options;
  }

  /** Return a member as an option states it: the settings chosen and those its text had. */
  private String text(Contender contender) {
    Candidate candidate = contender.candidate();
    return racing.stream()
        .filter(entrant -> entrant.filter().equals(candidate.filter()))
        .findFirst()
        .orElseThrow()
        .text(candidate.settings());
  }
}
