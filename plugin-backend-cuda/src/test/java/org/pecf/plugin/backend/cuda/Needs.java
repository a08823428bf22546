package org.pecf.plugin.backend.cuda;

import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Condition of tests that need more than Java: a class of them is skipped where it is missing.
 *
 * <p>An assumption before all tests would do so too, but such skips are missing from reports.
 */
abstract class Needs implements ExecutionCondition {
  private final Supplier<Optional<String>> problem;

  private Needs(Supplier<Optional<String>> problem) {
    this.problem = problem;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return problem
        .get()
        .map(ConditionEvaluationResult::disabled)
        .orElseGet(() -> ConditionEvaluationResult.enabled("all is there"));
  }

  /** The stand-in for CUDA, for other processes. */
  static final class BuiltStandIn extends Needs {
    BuiltStandIn() {
      super(StandIn::buildProblem);
    }
  }

  /** The stand-in for CUDA, in this process. */
  static final class LoadedStandIn extends Needs {
    LoadedStandIn() {
      super(StandIn::problem);
    }
  }

  /** The compiler that native tests are made with. */
  static final class Compiler extends Needs {
    private static final class Tried {
      static final Optional<String> OBSTACLE = NativeProgram.obstacle();
    }

    Compiler() {
      super(() -> Tried.OBSTACLE);
    }
  }
}
