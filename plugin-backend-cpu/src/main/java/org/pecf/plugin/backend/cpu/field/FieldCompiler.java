package org.pecf.plugin.backend.cpu.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.pecf.api.field.Apply;
import org.pecf.api.field.CellField;
import org.pecf.api.field.CellFunction;
import org.pecf.api.field.Constant;
import org.pecf.api.field.HostField;
import org.pecf.api.field.HostScore;
import org.pecf.api.field.Linear;
import org.pecf.api.field.Mixture;
import org.pecf.api.field.MixtureLogDensity;
import org.pecf.api.field.Observed;
import org.pecf.api.field.PartMask;
import org.pecf.api.field.Posterior;
import org.pecf.api.field.Product;
import org.pecf.api.field.Responsibility;
import org.pecf.api.field.Score;
import org.pecf.backend.field.ObservedSets;
import org.pecf.backend.field.ScoreCombination;
import org.pecf.backend.field.ScoreSlots;
import org.pecf.backend.field.UnobservedRewrite;

/** A translation of fields into the nodes of one {@link FieldProgram}. */
final class FieldCompiler {
  private final ScoreSlots slots = new ScoreSlots();
  private final List<HostScore> hosts = new ArrayList<>();
  private final List<FieldNode> common = new ArrayList<>();
  private final Map<CellField, FieldNode> compiled = new IdentityHashMap<>();
  private final List<CompiledMask> masks = new ArrayList<>();
  private final Map<CellField, Integer> uses = new IdentityHashMap<>();
  private final List<ObservedCells> observed = new ArrayList<>();

  private final Map<CompiledMixture, MixtureNodes> mixtures = new HashMap<>();

  private record CompiledMask(PartMask mask, FieldNode node) {}

  private record CompiledMixture(Mixture mixture, List<FieldNode> errors) {}

  /** Compile fields that are evaluated together. */
  FieldProgram compile(List<CellField> fields) {
    UnobservedRewrite rewrite = new UnobservedRewrite();
    List<CellField> unobserved = fields.stream().map(rewrite::of).toList();
    fields.forEach(this::countUses);
    unobserved.forEach(this::countUses);
    List<FieldProgram.Root> roots = new ArrayList<>();
    for (int k = 0; k < fields.size(); k++) {
      ObservedCells cells = ObservedCells.of(ObservedSets.in(fields.get(k)));
      FieldNode exact = compile(fields.get(k));
      roots.add(
          cells.isEmpty()
              ? new FieldProgram.Root(exact, exact, -1)
              : new FieldProgram.Root(exact, compile(unobserved.get(k)), group(cells)));
    }
    return new FieldProgram(
        slots.combinations().stream().map(ScoreSlot::new).toList(), hosts, common, observed, roots);
  }

  private void countUses(CellField field) {
    if (uses.merge(field, 1, Integer::sum) == 1) {
      field.children().forEach(this::countUses);
    }
  }

  /** Return the index of a union of sets. */
  private int group(ObservedCells cells) {
    for (int k = 0; k < observed.size(); k++) {
      if (observed.get(k).sameAs(cells)) {
        return k;
      }
    }
    observed.add(cells);
    return observed.size() - 1;
  }

  private FieldNode compile(CellField field) {
    FieldNode node = compiled.get(field);
    if (node == null) {
      node = translate(field);
      boolean formula =
          field instanceof Product
              || field instanceof Linear
              || field instanceof Apply
              || field instanceof HostField;
      if (formula && uses.getOrDefault(field, 0) > 1 && !(node instanceof FieldNode.Stored)) {
        node = share(node);
      }
      compiled.put(field, node);
    }
    return node;
  }

  /** Return a node that is evaluated at most once per run. */
  private FieldNode share(FieldNode node) {
    common.add(node);
    return new FieldNode.Common(common.size() - 1);
  }

  private FieldNode translate(CellField field) {
    if (field instanceof Constant constant) {
      return constant(constant.value());
    }
    if (field instanceof Observed cells) {
      return new FieldNode.ObservedValues(cells);
    }
    if (field instanceof PartMask mask) {
      return mask(mask);
    }
    if (field instanceof Score) {
      return linear(List.of(new Linear.Term(1, field)));
    }
    if (field instanceof Linear linear) {
      return linear(linear.terms());
    }
    if (field instanceof Product product) {
      return product(product);
    }
    if (field instanceof Apply apply) {
      return apply(apply.function(), apply.arguments().stream().map(this::compile).toList());
    }
    if (field instanceof HostScore score) {
      if (!hosts.contains(score)) {
        hosts.add(score);
      }
      return new FieldNode.HostSlot(hosts.indexOf(score));
    }
    return new FieldNode.HostValues((HostField) field);
  }

  private FieldNode apply(CellFunction function, List<FieldNode> arguments) {
    if (function instanceof Posterior posterior) {
      return new FieldNode.PosteriorOf(posterior, arguments.get(0));
    }
    if (function instanceof Responsibility responsibility) {
      return mixture(responsibility.mixture(), arguments)
          .responsibility(responsibility.component());
    }
    if (function instanceof MixtureLogDensity density) {
      return mixture(density.mixture(), arguments).logDensity();
    }
    return new FieldNode.FunctionOf(function, arguments);
  }

  private MixtureNodes mixture(Mixture mixture, List<FieldNode> errors) {
    return mixtures.computeIfAbsent(
        new CompiledMixture(mixture, errors),
        key -> new MixtureNodes(mixture, errors, this::share));
  }

  private static FieldNode constant(float value) {
    return (run, values) -> Arrays.fill(values, 0, run.count(), value);
  }

  private FieldNode linear(List<Linear.Term> terms) {
    List<FieldNode.SumOf.Term> nodes = new ArrayList<>();
    ScoreCombination scores = ScoreCombination.of(terms);
    if (!scores.isEmpty()) {
      for (ScoreSlots.Term term : slots.compose(scores)) {
        nodes.add(new FieldNode.SumOf.Term(term.sign(), new FieldNode.Slot(term.slot())));
      }
    }
    for (Linear.Term term : terms) {
      if (!(term.field() instanceof Score)) {
        nodes.add(new FieldNode.SumOf.Term(term.coefficient(), compile(term.field())));
      }
    }
    return nodes.size() == 1 ? multiple(nodes.get(0)) : new FieldNode.SumOf(nodes);
  }

  private static FieldNode multiple(FieldNode.SumOf.Term term) {
    return term.coefficient() == 1 ? term.node() : new FieldNode.SumOf(List.of(term));
  }

  private FieldNode mask(PartMask mask) {
    for (CompiledMask known : masks) {
      if (same(known.mask, mask)) {
        return known.node;
      }
    }
    FieldNode node = share(new FieldNode.MaskValues(mask));
    masks.add(new CompiledMask(mask, node));
    return node;
  }

  /** Compare by hand: the first use of a record's generated equals is slow. */
  private static boolean same(PartMask one, PartMask other) {
    return one.seed() == other.seed() && one.start() == other.start() && one.end() == other.end();
  }

  private FieldNode product(Product product) {
    List<FieldNode> factors = new ArrayList<>();
    float coefficient = addFactors(product, factors);
    if (factors.isEmpty()) {
      return constant(coefficient);
    }
    return factors.size() == 1
        ? multiple(new FieldNode.SumOf.Term(coefficient, factors.get(0)))
        : new FieldNode.ProductOf(coefficient, factors);
  }

  /** Add the factors of a product and of products in it, and return the constant factor. */
  private float addFactors(Product product, List<FieldNode> factors) {
    float coefficient = 1;
    for (CellField factor : product.factors()) {
      if (factor instanceof Constant constant) {
        coefficient *= constant.value();
      } else if (factor instanceof Product inner && uses.getOrDefault(inner, 0) == 1) {
        coefficient *= addFactors(inner, factors);
      } else {
        factors.add(compile(factor));
      }
    }
    return coefficient;
  }
}
