package org.pecf.engine.study;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Name the methods that a study compares, in the order of its table. */
public enum Method {
  /** Additive co-clustering. */
  BACCAMS("bACCAMS", "baccams"),
  /** One factorisation. */
  WMF("WMF", null),
  /** Factorisations of residuals, added up. */
  L2BOOST("L2Boost", null),
  /** The paper's. */
  PECF("PECF", null),
  /** A mixture fitted at once from a random start. */
  RAND_EM("RandEM", null),
  /** A mixture fitted at once from what L2Boost made. */
  L2_EM("L2EM", null),
  /** Factorisations that differ by their start only. */
  BAGGING("bagging", null),
  /** Factorisations of residuals on re-weighted cells, added up. */
  BOOSTED("boosted PECF", null),
  /** One factorisation with as many factors as the whole ensemble. */
  CAPACITY("WMF of equal capacity", null),
  /** Pairwise ranking. */
  BPR("BPR", "bpr"),
  /** A linear auto-encoder. */
  EASE("EASE", "ease"),
  /** Neighbourhoods of items. */
  ITEM_KNN("item-kNN", "item-knn"),
  /** The same list for everybody. */
  POPULARITY("popularity", "popularity");

  private final String label;
  private final String filter;

  Method(String label, String filter) {
    this.label = label;
    this.filter = filter;
  }

  /** Return the name in commands and files. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Return the name in tables. */
  public String label() {
    return label;
  }

  /** Return the id of the filter that the method is, if it is one that stands for itself. */
  public Optional<String> filter() {
    return Optional.ofNullable(filter);
  }

  /** Return the ids of the filters that stand for themselves. */
  public static List<String> filters() {
    return Arrays.stream(values()).flatMap(method -> method.filter().stream()).toList();
  }
}
