package org.pecf.plugin.backend.cuda.field;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Responsibility;
import org.pecf.api.field.Score;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.ScoreSlots;

/** A translation of fields into the instructions of one {@link CudaFieldProgram}. */
final class CudaFieldCompiler {
  /** An operation; its place is its number in the kernels' source. */
  private enum Operation {
    PUSH_CONSTANT,
    PUSH_TILE,
    PUSH_OBSERVED,
    PUSH_PART,
    COPY,
    MULTIPLY_ADD,
    MULTIPLY,
    POSTERIOR,
    RESPONSIBILITY,
    LOG_DENSITY,
    STORE
  }

  /** The component of {@link Operation#RESPONSIBILITY} that stands for all of them. */
  private static final int ALL_COMPONENTS = -1;

  /** A tile of the host, before the number of score tiles in front of it is known. */
  private static final int HOST_TILE = -1;

  private final ScoreSlots slots = new ScoreSlots();
  private final List<CellField> hostFields = new ArrayList<>();
  private final List<SparseCells> sets = new ArrayList<>();
  private final List<Integer> code = new ArrayList<>();
  private final List<Integer> words = new ArrayList<>();
  private final List<Float> constants = new ArrayList<>();
  private int height;
  private int depth = 1;

  /** Compile fields that are evaluated together. */
  CudaFieldProgram compile(List<CellField> fields) {
    boolean[] stored = new boolean[fields.size()];
    for (int k = 0; k < stored.length; k++) {
      List<Integer> together = responsibilities(fields, k);
      if (stored[k]) {
        continue;
      } else if (together.size() > 1) {
        storeTogether(fields, together);
        together.forEach(output -> stored[output] = true);
      } else {
        compile(fields.get(k));
        emit(Operation.STORE, k, 0, 0, -1);
      }
    }
    return program(fields.size());
  }

  /** Return the fields from the k-th on that are responsibilities for the same errors as it is. */
  private static List<Integer> responsibilities(List<CellField> fields, int k) {
    List<Integer> found = new ArrayList<>();
    for (int other = k; other < fields.size(); other++) {
      if (fields.get(k) instanceof Apply first
          && first.function() instanceof Responsibility one
          && first.arguments().size() == one.mixture().size()
          && fields.get(other) instanceof Apply second
          && second.function() instanceof Responsibility two
          && one.mixture().equals(two.mixture())
          && same(first.arguments(), second.arguments())) {
        found.add(other);
      }
    }
    return found;
  }

  private static boolean same(List<CellField> left, List<CellField> right) {
    boolean same = left.size() == right.size();
    for (int k = 0; k < left.size() && same; k++) {
      same = left.get(k) == right.get(k);
    }
    return same;
  }

  /** Evaluate the errors of a mixture once for several responsibilities. */
  private void storeTogether(List<CellField> fields, List<Integer> outputs) {
    Apply apply = (Apply) fields.get(outputs.get(0));
    Mixture mixture = ((Responsibility) apply.function()).mixture();
    mixture(Operation.RESPONSIBILITY, apply, mixture, ALL_COMPONENTS, 0);
    for (int component = mixture.size() - 1; component >= 0; component--) {
      for (int output : outputs) {
        Apply field = (Apply) fields.get(output);
        if (((Responsibility) field.function()).component() == component) {
          emit(Operation.COPY, 0, 0, 0, 1);
          emit(Operation.STORE, output, 0, 0, -1);
        }
      }
      // The power 0: the value is dropped.
      emit(Operation.MULTIPLY, 0, 0, 0, -1);
    }
  }

  /** Compile weights, and weights times targets, with the weights evaluated once. */
  CudaFieldProgram compileProduct(CellField weights, CellField targets) {
    compile(weights);
    emit(Operation.COPY, 0, 0, 0, 1);
    emit(Operation.STORE, 0, 0, 0, -1);
    compile(targets);
    emit(Operation.MULTIPLY, 1, 0, 0, -1);
    emit(Operation.STORE, 1, 0, 0, -1);
    return program(2);
  }

  private CudaFieldProgram program(int outputs) {
    List<ScoreCombination> combinations = slots.combinations();
    // Tiles of scores come first, those of the host after them; the words of parts follow the code.
    int[] linked = new int[code.size() + words.size()];
    for (int k = 0; k < code.size(); k += 4) {
      int operation = code.get(k);
      int first = code.get(k + 1);
      linked[k] = operation == HOST_TILE ? Operation.PUSH_TILE.ordinal() : operation;
      linked[k + 1] =
          operation == HOST_TILE
              ? combinations.size() + first
              : operation == Operation.PUSH_PART.ordinal() ? code.size() + first : first;
      linked[k + 2] = code.get(k + 2);
      linked[k + 3] = code.get(k + 3);
    }
    for (int k = 0; k < words.size(); k++) {
      linked[code.size() + k] = words.get(k);
    }
    return new CudaFieldProgram(
        combinations,
        List.copyOf(hostFields),
        List.copyOf(sets),
        outputs,
        code.size() / 4,
        linked,
        floats(constants),
        depth);
  }

  private static float[] floats(List<Float> values) {
    float[] floats = new float[values.size()];
    for (int k = 0; k < floats.length; k++) {
      floats[k] = values.get(k);
    }
    return floats;
  }

  private void emit(Operation operation, int a, int b, int c, int change) {
    emit(operation.ordinal(), a, b, c, change);
  }

  private void emit(int operation, int a, int b, int c, int change) {
    code.addAll(List.of(operation, a, b, c));
    height += change;
    depth = Math.max(depth, height);
  }

  private int constant(double value) {
    constants.add((float) value);
    return constants.size() - 1;
  }

  private void compile(CellField field) {
    if (field instanceof Constant constant) {
      emit(Operation.PUSH_CONSTANT, constant(constant.value()), 0, 0, 1);
    } else if (field instanceof Observed observed) {
      emit(
          Operation.PUSH_OBSERVED,
          set(observed.cells()),
          constant(observed.inside()),
          constant(observed.outside()),
          1);
    } else if (field instanceof PartMask mask) {
      part(mask);
    } else if (field instanceof Score) {
      linear(new Linear(List.of(new Linear.Term(1, field))));
    } else if (field instanceof Linear linear) {
      linear(linear);
    } else if (field instanceof Product product) {
      product(product);
    } else if (field instanceof Apply apply) {
      apply(apply);
    } else {
      host((HostField) field);
    }
  }

  private int set(SparseCells cells) {
    for (int k = 0; k < sets.size(); k++) {
      if (sets.get(k) == cells) {
        return k;
      }
    }
    sets.add(cells);
    return sets.size() - 1;
  }

  private void part(PartMask mask) {
    if (mask.start() == mask.end()) {
      emit(Operation.PUSH_CONSTANT, constant(0), 0, 0, 1);
      return;
    }
    int at = words.size();
    words.add((int) mask.seed());
    words.add((int) (mask.seed() >>> 32));
    words.add((int) mask.start());
    words.add((int) (mask.end() - 1));
    emit(Operation.PUSH_PART, at, 0, 0, 1);
  }

  private void linear(Linear linear) {
    emit(Operation.PUSH_CONSTANT, constant(0), 0, 0, 1);
    ScoreCombination scores = ScoreCombination.of(linear.terms());
    if (!scores.isEmpty()) {
      ScoreSlots.Term term = slots.name(scores);
      emit(Operation.PUSH_TILE, term.slot(), 0, 0, 1);
      emit(Operation.MULTIPLY_ADD, constant(term.sign()), 0, 0, -1);
    }
    for (Linear.Term term : linear.terms()) {
      if (!(term.field() instanceof Score)) {
        compile(term.field());
        emit(Operation.MULTIPLY_ADD, constant(term.coefficient()), 0, 0, -1);
      }
    }
  }

  private void product(Product product) {
    List<CellField> distinct = new ArrayList<>();
    List<Integer> powers = new ArrayList<>();
    for (CellField factor : product.factors()) {
      int known = distinct.size() - 1;
      while (known >= 0 && distinct.get(known) != factor) {
        known--;
      }
      if (known < 0) {
        distinct.add(factor);
        powers.add(1);
      } else {
        powers.set(known, powers.get(known) + 1);
      }
    }
    emit(Operation.PUSH_CONSTANT, constant(1), 0, 0, 1);
    for (int k = 0; k < distinct.size(); k++) {
      compile(distinct.get(k));
      emit(Operation.MULTIPLY, powers.get(k), 0, 0, -1);
    }
  }

  private void apply(Apply apply) {
    if (apply.function() instanceof Posterior posterior && apply.arguments().size() == 1) {
      compile(apply.arguments().get(0));
      int at = constant(posterior.nu());
      constant(-1 / ((double) posterior.sigma() * posterior.sigma()));
      constant(posterior.scale());
      emit(Operation.POSTERIOR, at, 0, 0, 0);
    } else if (apply.function() instanceof Responsibility responsibility
        && apply.arguments().size() == responsibility.mixture().size()) {
      Mixture mixture = responsibility.mixture();
      mixture(
          Operation.RESPONSIBILITY, apply, mixture, responsibility.component(), 1 - mixture.size());
    } else if (apply.function() instanceof MixtureLogDensity density
        && apply.arguments().size() == density.mixture().size()) {
      mixture(Operation.LOG_DENSITY, apply, density.mixture(), 0, 1 - density.mixture().size());
    } else {
      host(apply);
    }
  }

  private void mixture(
      Operation operation, Apply apply, Mixture mixture, int component, int change) {
    apply.arguments().forEach(this::compile);
    double deviation = mixture.deviation();
    int at = constant(1 / (2 * deviation * deviation));
    constant(Math.log(deviation) + 0.5 * Math.log(2 * Math.PI));
    mixture.priors().forEach(this::constant);
    emit(operation, at, mixture.size(), component, change);
  }

  private void host(CellField field) {
    int known = hostFields.size() - 1;
    while (known >= 0 && hostFields.get(known) != field) {
      known--;
    }
    if (known < 0) {
      hostFields.add(field);
      known = hostFields.size() - 1;
    }
    emit(HOST_TILE, known, 0, 0, 1);
  }
}
