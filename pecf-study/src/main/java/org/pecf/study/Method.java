package org.pecf.study;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.construct.Construction;
import org.pecf.engine.construct.EmSettings;
import org.pecf.engine.construct.EnsembleRequest;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.request.TrainingRequest;

/** The methods that a study compares, in the order of its table. */
public enum Method {
  /** One factorisation. */
  WMF("WMF", Construction.SINGLE),
  /** One factorisation with as many factors as the whole ensemble. */
  CAPACITY("WMF of equal capacity", Construction.SINGLE),
  /** Factorisations that differ by their start only. */
  BAGGING("bagging", Construction.BAGGING),
  /** The paper's. */
  PECF("PECF", Construction.PROGRESSIVE),
  /** Factorisations of residuals, added up. */
  L2BOOST("L2Boost", Construction.L2BOOST),
  /** Factorisations of residuals on re-weighted cells, added up. */
  BOOSTED("boosted PECF", Construction.BOOSTED),
  /** A mixture fitted at once from a random start. */
  RAND_EM("RandEM", Construction.EM),
  /** A mixture that starts from the members of an L2Boost run. */
  L2_EM("L2EM", Construction.EM),
  /** Members of different kinds, selected on validation. It always needs a setting of its own. */
  GREEDY("greedy", Construction.GREEDY),
  /** Members of different kinds with stacked weights. It always needs a setting of its own. */
  STACKED("stacked", Construction.GREEDY),
  /** Pairwise ranking. */
  BPR("BPR", "bpr"),
  /** A linear auto-encoder. */
  EASE("EASE", "ease"),
  /** Neighbourhoods of items. */
  ITEM_KNN("item-kNN", "item-knn"),
  /** Neighbourhoods of users. */
  USER_KNN("user-kNN", "user-knn"),
  /** Random walks of three steps. */
  RP3BETA("RP3beta", "rp3beta"),
  /** The progressive construction with the weights of RankBoost instead of PECF's. */
  RANKBOOST("RankBoost's weights", Construction.PROGRESSIVE),
  /** Local factorisations around anchors. */
  LLORMA("LLORMA", "llorma"),
  /** Factorisations of overlapping co-clusters. */
  CCCF("CCCF", "cccf"),
  /** Local non-negative factorisations of what earlier ones leave. */
  ENS_NMF("L-EnsNMF", "ens-nmf"),
  /** Additive co-clustering. */
  BACCAMS("bACCAMS", "baccams"),
  /** The same list for everybody. */
  POPULARITY("popularity", "popularity");

  /** The filter of the members of methods that are not single filters. */
  private static final String BASE_FILTER = EnsembleRequest.DEFAULT_FILTER;

  private final String label;
  private final Construction construction;
  private final Optional<String> filter;

  /** Create a method whose members are of the study's base filter, or of different filters. */
  Method(String label, Construction construction) {
    this.label = label;
    this.construction = construction;
    this.filter = Optional.empty();
  }

  /** Create a method that is one filter. */
  Method(String label, String filter) {
    this.label = label;
    this.construction = Construction.SINGLE;
    this.filter = Optional.of(filter);
  }

  /** Return the name in commands and files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return the name in tables. */
  public String label() {
    return label;
  }

  /** Return the id of the filter that the method consists of, if it is a single filter. */
  public Optional<String> filter() {
    return filter;
  }

  /**
   * Check that a request is for this method.
   *
   * @param request a setting that somebody found for this method
   * @param where where it was found, for the message
   * @throws PecfException if it builds something else
   */
  public void check(TrainingRequest request, String where) {
    Optional<String> expected =
        construction == Construction.GREEDY
            ? Optional.empty()
            : filter.or(() -> Optional.of(BASE_FILTER));
    EmSettings.Start start = this == L2_EM ? EmSettings.Start.L2BOOST : EmSettings.Start.RANDOM;
    Optional<String> weighting = Optional.of("rankboost").filter(id -> this == RANKBOOST);
    boolean stacked = request.ensemble().weights().kind() == MemberWeights.Kind.STACKED;
    boolean same =
        request.ensemble().construction() == construction
            && stacked == (this == STACKED)
            && request
                .ensemble()
                .weighting()
                .id()
                .equals(weighting.orElse(request.ensemble().weighting().id()))
            && request.ensemble().filters().stream()
                .allMatch(choice -> choice.id().equals(expected.orElse(choice.id())))
            && (construction != Construction.EM || request.ensemble().em().start() == start);
    if (!same) {
      throw PecfException.badOption(
          "%s is not a setting of %s, which is construction %s%s%s. Search for it with"
              + " construction %s%s.",
          where,
          id(),
          construction.id(),
          (construction == Construction.EM
              ? " started by " + start.name().toLowerCase(Locale.ROOT)
              : ""),
          expected.map(id -> " of filter " + id).orElse("")
              + weighting.map(id -> " with weighting " + id).orElse("")
              + (this == STACKED ? " with stacked weights" : ""),
          construction.id(),
          expected.map(id -> " and filter " + id).orElse("")
              + weighting.map(id -> " and weighting " + id).orElse("")
              + (this == STACKED ? " and stacked weights" : ""));
    }
  }

  /** Find a method by its name in commands. */
  public static Method of(String id) {
    return Arrays.stream(values())
        .filter(method -> method.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> ids = Arrays.stream(values()).map(Method::id).toList();
              return PecfException.badOption(
                  "There is no method '%s'.%s There are: %s",
                  id, Choices.suggestion(id, ids), String.join(", ", ids));
            });
  }

  /** Return the ids of the filters that are methods by themselves. */
  public static List<String> filters() {
    return Arrays.stream(values()).flatMap(method -> method.filter().stream()).toList();
  }
}
