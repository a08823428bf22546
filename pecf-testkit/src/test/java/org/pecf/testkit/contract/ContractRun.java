package org.pecf.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs of contracts on plugins that break some of the rules. */
final class ContractRun {
  private ContractRun() {}

  /** Fail unless the contract fails in the given methods and in no other. */
  static void assertBreaks(Class<?> contract, String... rules) {
    TreeMap<String, String> failures = new TreeMap<>();
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(contract))
        .execute()
        .testEvents()
        .failed()
        .stream()
        .forEach(event -> failures.put(method(event), message(event)));
    assertEquals(new TreeSet<>(Set.of(rules)), failures.keySet(), failures::toString);
  }

  private static String method(Event event) {
    return event
        .getTestDescriptor()
        .getSource()
        .map(MethodSource.class::cast)
        .orElseThrow()
        .getMethodName();
  }

  private static String message(Event event) {
    String message =
        event
            .getRequiredPayload(TestExecutionResult.class)
            .getThrowable()
            .map(Throwable::toString)
            .orElse("");
    return message.substring(0, Math.min(300, message.length()));
  }
}
