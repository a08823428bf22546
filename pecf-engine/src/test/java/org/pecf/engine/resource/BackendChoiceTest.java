package org.pecf.engine.resource;

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
    install(id, Integer.toString(preference), probe, "");
  }

  /** Pack a backend that does something when it is opened. */
  private void install(String id, String preference, String probe, String opening) {
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
                  public int preference(org.pecf.api.memory.GridShape shape) {
                    return %2$s;
                  }
                  public long memoryEstimate(SessionContext context, int rank) {
                    return 0;
                  }
                  public ComputeSession open(SessionContext context) {
                    %4$s
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
                .formatted(id, preference, probe, opening))
        .in(plugins);
  }

  private static String available(String what) {
    return "return new Availability(true, \"" + what + "\");";
  }

  private static String unavailable(String why) {
    return "return new Availability(false, \"" + why + "\");";
  }

  /** Open the backend that is chosen, and return the event that names it. */
  private Workspace.BackendOpened opened(String backend) {
    return opened(backend, new GridShape(2, 3));
  }

  private Workspace.BackendOpened opened(String backend, GridShape shape) {
    RecordingListener listener = new RecordingListener();
    ComputeRequest compute = ComputeRequest.of(Map.of("backend", backend, "memory", "16m"));
    try (Workspace workspace =
        new Workspace(PluginCatalog.load(List.of(plugins)), compute, listener, () -> false)) {
      workspace.open(shape).close();
      assertEquals(
          listener.events(Workspace.BackendOpened.class).get(0).id(), workspace.backend(shape));
    }
    return listener.events(Workspace.BackendOpened.class).get(0);
  }

  @Test
  void theAvailableBackendOfHighestPreferenceIsChosen() {
    install("slow", 0, available("a plain one"));
    install("quick", 1000, available("a third-party device"));
    install("middle", 100, available("another one"));
    Workspace.BackendOpened opened = opened("auto");
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
    Workspace.BackendOpened opened = opened("auto");
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

  @Test
  void aBackendThatDoesNotOpenIsPassedOverWithTheReason() {
    install("slow", 0, available("a plain one"));
    install(
        "taken",
        "100",
        available("a device"),
        """
        if (context != null) {
          throw org.pecf.api.PecfException.resources("The device is full. Close other programs.");
        }
        """);
    Workspace.BackendOpened opened = opened("auto");
    assertEquals("slow", opened.id());
    assertEquals("not taken: The device is full", opened.passedOver());
    PecfException named = assertThrows(PecfException.class, () -> opened("taken"));
    assertTrue(named.getMessage().contains("The device is full"), named.getMessage());
  }

  @Test
  void aBackendMayBePreferredForLargeGridsOnly() {
    install("slow", 0, available("a plain one"));
    install("quick", "shape.cells() < 100 ? -1 : 100", available("a device"), "");
    assertEquals("slow", opened("auto").id());
    assertEquals("quick", opened("auto", new GridShape(20, 30)).id());
  }
}
