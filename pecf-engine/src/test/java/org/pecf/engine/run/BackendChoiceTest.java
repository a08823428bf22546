package org.pecf.engine.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.memory.GridShape;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.ComputeRequest;
import org.pecf.testkit.fixture.PluginJarBuilder;
import org.pecf.testkit.fixture.RecordingListener;

/** The automatic choice among backends that nobody knew when the engine was written. */
class BackendChoiceTest {
  @TempDir private Path plugins;

  /** Pack a backend whose session computes nothing. */
  private void install(String id, int preference, String probe) {
    PluginJarBuilder.jar(id + ".jar")
        .module(
            """
            module %1$s {
              requires org.pecf.api;
              provides org.pecf.api.compute.ComputeBackendProvider with %1$s.Device;
            }
            """
                .formatted(id))
        .source(
            id + ".Device",
            """
            import java.lang.reflect.Proxy;
            import org.pecf.api.compute.*;
            import org.pecf.api.plugin.*;

            public final class Device implements ComputeBackendProvider<NoOptions> {
              public ProviderDescription describe() {
                return new ProviderDescription("%1$s", "A device", SpiVersion.CURRENT);
              }
              public OptionSchema<NoOptions> options() {
                return NoOptions.schema();
              }
              public ComputeBackend create(NoOptions options) {
                return new ComputeBackend() {
                  public Availability probe() {
                    %3$s
                  }
                  public int preference() {
                    return %2$d;
                  }
                  public long memoryEstimate(SessionContext context, int rank) {
                    return 0;
                  }
                  public ComputeSession open(SessionContext context) {
                    return (ComputeSession)
                        Proxy.newProxyInstance(
                            Device.class.getClassLoader(),
                            new Class<?>[] {ComputeSession.class},
                            (proxy, method, arguments) -> null);
                  }
                };
              }
            }
            """
                .formatted(id, preference, probe))
        .in(plugins);
  }

  private static String available(String what) {
    return "return new Availability(true, \"" + what + "\");";
  }

  private static String unavailable(String why) {
    return "return new Availability(false, \"" + why + "\");";
  }

  /** Open the backend that is chosen, and return the event that names it. */
  private BackendOpened opened(String backend) {
    RecordingListener listener = new RecordingListener();
    ComputeRequest compute = ComputeRequest.of(Map.of("backend", backend, "memory", "16m"));
    try (Workspace workspace =
        new Workspace(PluginCatalog.load(List.of(plugins)), compute, listener, () -> false)) {
      workspace.open(new GridShape(2, 3)).close();
      assertEquals(listener.events(BackendOpened.class).get(0).id(), workspace.backend());
    }
    return listener.events(BackendOpened.class).get(0);
  }

  @Test
  void theAvailableBackendOfHighestPreferenceIsChosen() {
    install("slow", 0, available("a plain one"));
    install("quick", 1000, available("a third-party device"));
    install("middle", 100, available("another one"));
    BackendOpened opened = opened("auto");
    assertEquals("quick", opened.id());
    assertEquals("a third-party device", opened.explanation());
    assertEquals("", opened.passedOver());
    assertEquals("slow", opened("slow").id(), "a backend that is named is taken");
  }

  @Test
  void aBetterBackendThatCannotBeUsedIsPassedOverWithTheReason() {
    install("slow", 0, available("a plain one"));
    install("quick", 1000, unavailable("There is no device. Buy one."));
    install("broken", 500, "throw new UnsatisfiedLinkError(\"no driver\");");
    BackendOpened opened = opened("auto");
    assertEquals("slow", opened.id());
    assertTrue(
        opened.passedOver().startsWith("not quick: There is no device, not broken: "),
        opened.passedOver());
    assertTrue(opened.passedOver().contains("no driver"), opened.passedOver());
    PecfException named = assertThrows(PecfException.class, () -> opened("quick"));
    assertEquals(ErrorCode.UNAVAILABLE, named.code());
  }

  @Test
  void equalPreferencesAreDecidedByTheId() {
    install("second", 7, available("b"));
    install("first", 7, available("a"));
    assertEquals("first", opened("auto").id());
  }

  @Test
  void whereNoneCanBeUsedAllReasonsAreSaid() {
    install("quick", 1000, unavailable("There is no device."));
    PecfException none = assertThrows(PecfException.class, () -> opened("auto"));
    assertEquals(ErrorCode.UNAVAILABLE, none.code());
    assertTrue(none.getMessage().contains("not quick: There is no device"), none.getMessage());
  }
}
