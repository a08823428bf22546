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

/**
 * Be the instructions by which kernel {@code evaluate_fields} computes fields cell by cell, and
 * name what it needs: combinations of scores, sets of cells, and tiles that only the host can
 * compute.
 */
public final class FieldProgram {
  // The operations, as the kernels' source has them.
  private static final int PUSH_CONSTANT = 0;
  private static final int PUSH_TILE = 1;
  private static final int PUSH_OBSERVED = 2;
  private static final int PUSH_PART = 3;
  private static final int COPY = 4;
  private static final int MULTIPLY_ADD = 5;
  private static final int MULTIPLY = 6;
  private static final int POSTERIOR = 7;
  private static final int RESPONSIBILITY = 8;
  private static final int LOG_DENSITY = 9;
  private static final int STORE = 10;

  private final List<ScoreSlot> slots;
  private final List<CellField> hostFields;
  private final List<SparseCells> sets;
  private final int outputs;
  private final int length;
  private final int[] code;
  private final double[] constants;
  private final int depth;

  private FieldProgram(Compiler compiler, int outputs) {
    this.slots = List.copyOf(compiler.slots);
    this.hostFields = List.copyOf(compiler.hostFields);
    this.sets = List.copyOf(compiler.sets);
    this.outputs = outputs;
    this.length = compiler.code.size() / 4;
    // Tiles of scores come first, those of the host after them; the words of parts follow the code.
    this.code = new int[compiler.code.size() + compiler.words.size()];
    for (int k = 0; k < compiler.code.size(); k += 4) {
      int operation = compiler.code.get(k);
      int first = compiler.code.get(k + 1);
      code[k] = operation == HOST_TILE ? PUSH_TILE : operation;
      code[k + 1] =
          operation == HOST_TILE
              ? slots.size() + first
              : operation == PUSH_PART ? compiler.code.size() + first : first;
      code[k + 2] = compiler.code.get(k + 2);
      code[k + 3] = compiler.code.get(k + 3);
    }
    for (int k = 0; k < compiler.words.size(); k++) {
      code[compiler.code.size() + k] = compiler.words.get(k);
    }
    this.constants = compiler.constants.stream().mapToDouble(Double::doubleValue).toArray();
    this.depth = compiler.most;
  }

  /** A tile of the host, until it is known how many tiles of scores come before it. */
  private static final int HOST_TILE = -1;

  /** Compile fields that are evaluated together. */
  public static FieldProgram of(List<CellField> fields) {
    Compiler compiler = new Compiler();
    for (int k = 0; k < fields.size(); k++) {
      compiler.compile(fields.get(k));
      compiler.emit(STORE, k, 0, 0, -1);
    }
    return new FieldProgram(compiler, fields.size());
  }

  /** Compile weights, and weights times targets, with the weights evaluated once. */
  public static FieldProgram ofProduct(CellField weights, CellField targets) {
    Compiler compiler = new Compiler();
    compiler.compile(weights);
    compiler.emit(COPY, 0, 0, 0, 1);
    compiler.emit(STORE, 0, 0, 0, -1);
    compiler.compile(targets);
    compiler.emit(MULTIPLY, 1, 0, 0, -1);
    compiler.emit(STORE, 1, 0, 0, -1);
    return new FieldProgram(compiler, 2);
  }

  /** Return the combinations of scores, each a tile. */
  public List<ScoreSlot> slots() {
    return slots;
  }

  /** Return the fields that the host computes, each a tile behind those of the scores. */
  List<CellField> hostFields() {
    return hostFields;
  }

  /** Return the sets of cells whose marks are needed. */
  List<SparseCells> sets() {
    return sets;
  }

  /** Return how many tiles are read. */
  int tiles() {
    return slots.size() + hostFields.size();
  }

  /** Return how many fields are computed. */
  public int outputs() {
    return outputs;
  }

  /** Return how many instructions there are. */
  int length() {
    return length;
  }

  /** Return the instructions, four ints each, and what follows them. */
  int[] code() {
    return code.clone();
  }

  /** Return what instructions refer to. */
  double[] constants() {
    return constants.clone();
  }

  /** Return how many values are on the stack at most. */
  int depth() {
    return depth;
  }

  private static final class Compiler {
    private final List<ScoreSlot> slots = new ArrayList<>();
    private final List<CellField> hostFields = new ArrayList<>();
    private final List<SparseCells> sets = new ArrayList<>();
    private final List<Integer> code = new ArrayList<>();
    private final List<Integer> words = new ArrayList<>();
    private final List<Double> constants = new ArrayList<>();
    private int height;
    private int most = 1;

    void emit(int operation, int a, int b, int c, int change) {
      code.addAll(List.of(operation, a, b, c));
      height += change;
      most = Math.max(most, height);
    }

    private int constant(double value) {
      constants.add(value);
      return constants.size() - 1;
    }

    void compile(CellField field) {
      if (field instanceof Constant constant) {
        emit(PUSH_CONSTANT, constant(constant.value()), 0, 0, 1);
      } else if (field instanceof Observed observed) {
        emit(
            PUSH_OBSERVED,
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
        emit(PUSH_CONSTANT, constant(0), 0, 0, 1);
        return;
      }
      int at = words.size();
      words.add((int) mask.seed());
      words.add((int) (mask.seed() >>> 32));
      words.add((int) mask.start());
      words.add((int) (mask.end() - 1));
      emit(PUSH_PART, at, 0, 0, 1);
    }

    private void linear(Linear linear) {
      emit(PUSH_CONSTANT, constant(0), 0, 0, 1);
      ScoreSlot wanted = ScoreSlot.of(linear.terms());
      if (!wanted.models().isEmpty()) {
        int sign = 0;
        int slot = 0;
        while (slot < slots.size() && (sign = wanted.signTo(slots.get(slot))) == 0) {
          slot++;
        }
        if (slot == slots.size()) {
          slots.add(wanted);
          sign = 1;
        }
        emit(PUSH_TILE, slot, 0, 0, 1);
        emit(MULTIPLY_ADD, constant(sign), 0, 0, -1);
      }
      for (Linear.Term term : linear.terms()) {
        if (!(term.field() instanceof Score)) {
          compile(term.field());
          emit(MULTIPLY_ADD, constant(term.coefficient()), 0, 0, -1);
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
      emit(PUSH_CONSTANT, constant(1), 0, 0, 1);
      for (int k = 0; k < distinct.size(); k++) {
        compile(distinct.get(k));
        emit(MULTIPLY, powers.get(k), 0, 0, -1);
      }
    }

    private void apply(Apply apply) {
      if (apply.function() instanceof Posterior posterior && apply.arguments().size() == 1) {
        compile(apply.arguments().get(0));
        int at = constant(posterior.nu());
        constant(-1 / ((double) posterior.sigma() * posterior.sigma()));
        constant(posterior.scale());
        emit(POSTERIOR, at, 0, 0, 0);
      } else if (apply.function() instanceof Responsibility responsibility
          && apply.arguments().size() == responsibility.mixture().size()) {
        mixture(RESPONSIBILITY, apply, responsibility.mixture(), responsibility.component());
      } else if (apply.function() instanceof MixtureLogDensity density
          && apply.arguments().size() == density.mixture().size()) {
        mixture(LOG_DENSITY, apply, density.mixture(), 0);
      } else {
        host(apply);
      }
    }

    private void mixture(int operation, Apply apply, Mixture mixture, int component) {
      apply.arguments().forEach(this::compile);
      double deviation = mixture.deviation();
      int at = constant(2 * deviation * deviation);
      constant(Math.log(deviation));
      constant(0.5 * Math.log(2 * Math.PI));
      mixture.priors().forEach(prior -> constant(Math.log(prior)));
      emit(operation, at, mixture.size(), component, 1 - mixture.size());
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
}
