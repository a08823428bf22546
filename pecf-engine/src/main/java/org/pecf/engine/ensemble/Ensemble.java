package org.pecf.engine.ensemble;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Linear;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;

/**
 * A weighted sum of trained filters in the order they joined, which owns their memory.
 *
 * <p>Weights are not stored but follow from the steps by which the members joined, so the weights
 * of any prefix are exactly those that the ensemble had with that many members. Used by one thread
 * at a time.
 */
public final class Ensemble implements AutoCloseable {
  private final GridShape shape;
  private final List<Member> members = new ArrayList<>();

  /** Start without members. */
  public Ensemble(GridShape shape) {
    this.shape = shape;
  }

  /** Add a member of which nobody knows how it was fitted. */
  public void add(ScoreModel model, String filterId, Combination combination, double alpha) {
    add(model, filterId, combination, alpha, Optional.empty());
  }

  /**
   * Add a member.
   *
   * @param model from now on owned by the ensemble, unless this method throws
   * @param filterId the id of the filter that trained it
   * @param combination how it joins; the first member can join convexly only with alpha 1
   * @param alpha a finite number, from 0 to 1 if it joins convexly
   * @param fit how it was fitted, if that is known
   */
  public void add(
      ScoreModel model,
      String filterId,
      Combination combination,
      double alpha,
      Optional<MemberFit> fit) {
    if (!model.shape().equals(shape)) {
      throw new IllegalArgumentException(
          "a model of " + model.shape() + " cannot join an ensemble of " + shape);
    }
    if (fit.isPresent() && fit.get().before().size() > members.size()) {
      throw new IllegalArgumentException(
          "member " + members.size() + " was fitted after " + fit.get().before().size());
    }
    boolean possible =
        switch (combination) {
          case CONVEX -> members.isEmpty() ? alpha == 1 : alpha >= 0 && alpha <= 1;
          case ADDITIVE -> Double.isFinite(alpha);
        };
    if (!possible) {
      throw new IllegalArgumentException(
          "member " + members.size() + " cannot join " + combination + " with alpha " + alpha);
    }
    members.add(new Member(model, filterId, combination, alpha, fit));
  }

  /**
   * Add the members of another ensemble, which is left empty.
   *
   * @param divisor the number that their weights are divided by
   */
  public void addAll(Ensemble other, int divisor) {
    double[] weights = other.weights();
    int behind = size();
    List<Member> added = other.release();
    for (int k = 0; k < weights.length; k++) {
      Member member = added.get(k);
      add(
          member.model(),
          member.filterId(),
          Combination.ADDITIVE,
          weights[k] / divisor,
          member.fit().map(fit -> fit.behind(behind)));
    }
  }

  /**
   * Replace the model of a member.
   *
   * @param model from now on owned by the ensemble, as the model before it no longer is
   * @param fit how it was fitted, if that is known
   */
  public void replace(int member, ScoreModel model, Optional<MemberFit> fit) {
    Member of = members.get(member);
    members.set(member, new Member(model, of.filterId(), of.combination(), of.alpha(), fit));
  }

  /** Return the grid. */
  public GridShape shape() {
    return shape;
  }

  /** Return how many members there are. */
  public int size() {
    return members.size();
  }

  /** Return the members in the order they joined; a view. */
  public List<Member> members() {
    return Collections.unmodifiableList(members);
  }

  /** Return the weight of each member. */
  public double[] weights() {
    return prefix(size());
  }

  /**
   * Return the weights the ensemble had with its first members only.
   *
   * @param count how many members, from 0 to {@link #size()}
   */
  public double[] prefix(int count) {
    double[] weights = new double[checkPrefix(count)];
    for (int k = 0; k < count; k++) {
      Member member = members.get(k);
      if (member.combination() == Combination.CONVEX) {
        for (int older = 0; older < k; older++) {
          weights[older] *= 1 - member.alpha();
        }
      }
      weights[k] = member.alpha();
    }
    return weights;
  }

  /** Return the prediction: the weighted sum of the members' scores, borrowed. */
  public CellField prediction() {
    return prediction(size());
  }

  /** Return the prediction of the first members only; borrowed. */
  public CellField prediction(int count) {
    double[] weights = prefix(count);
    List<Linear.Term> terms = new ArrayList<>(count);
    for (int k = 0; k < count; k++) {
      terms.add(new Linear.Term((float) weights[k], CellField.score(members.get(k).model())));
    }
    return new Linear(terms);
  }

  /**
   * Have a session keep the prediction, built up member by member as it was while the ensemble
   * grew, so that kept scores and the metrics computed from them have the same bits.
   */
  public void keepIn(ComputeSession session) {
    for (int count = 1; count <= size(); count++) {
      session.keep(prediction(count));
    }
  }

  /** Go back to the first members, with the weights they had; the others are closed. */
  public void truncate(int count) {
    List<Member> dropped = members.subList(checkPrefix(count), members.size());
    dropped.forEach(member -> member.model().close());
    dropped.clear();
  }

  /** Hand all members to the caller, who owns them from now on; the ensemble is left empty. */
  public List<Member> release() {
    List<Member> released = List.copyOf(members);
    members.clear();
    return released;
  }

  /** Return an ensemble of the first members, which borrows their memory: it is not closed. */
  public Ensemble first(int count) {
    Ensemble first = new Ensemble(shape);
    first.members.addAll(members.subList(0, checkPrefix(count)));
    return first;
  }

  /** Return the average of ensembles, which borrows the memory of their members. */
  public static Ensemble average(List<Ensemble> ensembles) {
    Ensemble average = new Ensemble(ensembles.get(0).shape);
    for (Ensemble ensemble : ensembles) {
      average.addAll(ensemble.first(ensemble.size()), ensembles.size());
    }
    return average;
  }

  private int checkPrefix(int count) {
    if (count < 0 || count > members.size()) {
      throw new IllegalArgumentException(
          "an ensemble of " + members.size() + " members has no prefix of " + count);
    }
    return count;
  }

  @Override
  public void close() {
    truncate(0);
  }
}
