package org.pecf.engine.recommend.foldin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.compute.FieldKernels;
import org.pecf.api.ensemble.EnsembleState;
import org.pecf.api.ensemble.WeightingScheme;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Product;
import org.pecf.api.field.Score;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.ScoreModel;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.Member;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.plugin.PluginCatalog;

/**
 * The weights that a plugin's weighting scheme gives to new rows.
 *
 * <p>The scheme is asked once for the weights of each member's training, on the model's own grid,
 * so that its totals are those of training. A new row then takes the place of a trained one in the
 * fields it answered with: its positives for the training positives, its scores for the members'.
 * Every cell of a new row is a training cell.
 */
public final class SchemeWeights {
  private final List<ScoreModel> models;
  private final SparseCells training;
  private final List<Optional<CellField>> fields = new ArrayList<>();

  /**
   * Ask the scheme for the weights of all members that only it knows.
   *
   * @param ensemble borrowed
   * @param training the positives that the ensemble was trained on; borrowed
   * @param kernels sum over the model's grid; not used later
   */
  public SchemeWeights(
      Ensemble ensemble, SparseCells training, WeightingScheme scheme, FieldKernels kernels) {
    this.models = ensemble.members().stream().map(member -> member.model().lent()).toList();
    this.training = training;
    for (Member member : ensemble.members()) {
      fields.add(
          member
              .fit()
              .filter(fit -> fit.weights().factor().isEmpty())
              .map(fit -> scheme.weights(state(fit), kernels)));
    }
    if (fields.stream().anyMatch(Optional::isPresent)
        && ensemble.members().stream()
            .anyMatch(member -> member.fit().filter(MemberFit::standardised).isPresent())) {
      throw PecfException.badOption(
          "%s weighed cells by scores that were standardised afterwards, so new users cannot be"
              + " taken in. Train the model again with the new data.",
          PluginCatalog.nameOf(scheme, "The weighting scheme"));
    }
    for (Optional<CellField> field : fields) {
      field.ifPresent(weights -> check(weights, scheme));
    }
  }

  private EnsembleState state(MemberFit fit) {
    List<Linear.Term> terms = new ArrayList<>();
    for (int k = 0; k < fit.before().size(); k++) {
      if (fit.before().get(k) != 0 || !terms.isEmpty()) {
        terms.add(
            new Linear.Term(fit.before().get(k).floatValue(), CellField.score(models.get(k))));
      }
    }
    return new EnsembleState(
        terms.size(),
        new GridShape(training.users(), training.items()),
        training,
        fit.confidence().weights(training),
        CellField.observed(training, 1, 0),
        new Linear(terms));
  }

  private static void check(CellField field, WeightingScheme scheme) {
    if (field instanceof HostField) {
      throw PecfException.badOption(
          "%s fills in weights itself, for the users and items of its training only, so new ones"
              + " cannot be taken in. Train the model again with the new data.",
          PluginCatalog.nameOf(scheme, "The weighting scheme"));
    }
    field.children().forEach(child -> check(child, scheme));
  }

  /**
   * Return the weights of a new row under a member whose scheme knows them.
   *
   * @param member which member, counted from 0
   * @param scores the row's scores under the members before. Not modified.
   */
  RowWeights of(int member, List<float[]> scores) {
    CellField field = fields.get(member).orElseThrow();
    return new RowWeights() {
      @Override
      public double at(int cell, int rating) {
        return value(field, cell, rating, scores);
      }

      @Override
      public double background() {
        return 0;
      }

      @Override
      public boolean isException(int cell) {
        return true;
      }
    };
  }

  private float value(CellField field, int cell, int rating, List<float[]> scores) {
    if (field instanceof Constant constant) {
      return constant.value();
    }
    if (field instanceof Observed observed) {
      return observed.cells() == training.lent() && rating == 1
          ? observed.inside()
          : observed.outside();
    }
    if (field instanceof PartMask) {
      return 1;
    }
    if (field instanceof Score score) {
      return scores.get(models.indexOf(score.model()))[cell];
    }
    if (field instanceof Linear linear) {
      float sum = 0;
      for (Linear.Term term : linear.terms()) {
        sum += term.coefficient() * value(term.field(), cell, rating, scores);
      }
      return sum;
    }
    if (field instanceof Product product) {
      float result = 1;
      for (CellField factor : product.factors()) {
        result *= value(factor, cell, rating, scores);
      }
      return result;
    }
    if (field instanceof Apply apply) {
      float[] arguments = new float[apply.arguments().size()];
      for (int k = 0; k < arguments.length; k++) {
        arguments[k] = value(apply.arguments().get(k), cell, rating, scores);
      }
      return apply.function().value(arguments);
    }
    throw new IllegalStateException("new rows have no " + field);
  }
}
