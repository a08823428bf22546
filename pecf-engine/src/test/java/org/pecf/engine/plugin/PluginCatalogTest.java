package org.pecf.engine.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.testkit.fixture.AlphaPlugin.CREATE;
import static org.pecf.testkit.fixture.AlphaPlugin.STEP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.ensemble.AlphaStrategy;
import org.pecf.api.ensemble.AlphaStrategyProvider;
import org.pecf.api.plugin.SpiVersion;
import org.pecf.testkit.fixture.AlphaPlugin;
import org.pecf.testkit.fixture.PluginJarBuilder;

/** Finding, choosing and creating what working plugins offer. */
class PluginCatalogTest {
  @TempDir static Path shelf;
  private static Path acme;

  @TempDir Path plugins;

  @BeforeAll
  static void buildPlugin() {
    acme = AlphaPlugin.of("acme").version("1.2.3").in(shelf);
  }

  private PluginCatalog load() {
    return PluginCatalog.load(List.of(plugins));
  }

  private PluginCatalog withAcme() {
    return PluginCatalog.load(List.of(acme));
  }

  private static PecfException failure(ErrorCode code, Runnable action) {
    PecfException failure = assertThrows(PecfException.class, action::run);
    assertEquals(code, failure.code(), failure.getMessage());
    return failure;
  }

  @Test
  void reportsWhatAPluginOffers() {
    List<PluginReport> reports =
        withAcme().plugins().stream().filter(report -> !report.builtIn()).toList();

    assertEquals(
        List.of(
            new PluginReport(
                acme.toString(),
                false,
                Optional.of("acme"),
                Optional.of("1.2.3"),
                PluginReport.State.LOADED,
                List.of(),
                List.of(
                    new PluginReport.Provided(
                        ProviderKind.ALPHA, "acme", SpiVersion.CURRENT, "Takes equal steps")))),
        reports);
    assertEquals(reports.get(0), withAcme().origin(ProviderKind.ALPHA, "acme"));
  }

  @Test
  void offersOnlyTheKindThatIsProvided() {
    PluginCatalog nothing = PluginCatalog.load(List.of());
    for (ProviderKind<?> kind : ProviderKind.all()) {
      List<String> added = new ArrayList<>(withAcme().ids(kind));
      added.removeAll(nothing.ids(kind));
      assertEquals(kind == ProviderKind.ALPHA ? List.of("acme") : List.of(), added);
    }
  }

  @Test
  void listsProvidersInOrderOfIdWhateverTheirFiles() throws IOException {
    AlphaPlugin.of("zeta", AlphaPlugin.provider("beta")).in(plugins);
    AlphaPlugin.of("theta", AlphaPlugin.provider("gamma")).in(plugins);
    Files.copy(acme, plugins.resolve("last.jar"));

    PluginCatalog catalog = load();

    List<String> inOrder = List.of("acme", "beta", "dynamic", "fixed", "gamma", "uniform");
    assertEquals(inOrder, catalog.ids(ProviderKind.ALPHA));
    assertEquals(
        inOrder,
        catalog.providers(ProviderKind.ALPHA).stream()
            .map(provider -> provider.describe().id())
            .toList());
    assertEquals(
        List.of("last.jar", "theta.jar", "zeta.jar"),
        catalog.plugins().stream()
            .filter(report -> !report.builtIn())
            .map(report -> Path.of(report.location()).getFileName().toString())
            .toList());
  }

  @Test
  void createsWithDefaultsWithNamedOptionsAndWithTheShortSyntax() {
    PluginCatalog catalog = withAcme();

    assertEquals(0.5, catalog.alpha(ProviderChoice.of("acme")).alpha(null, null));
    assertEquals(0.25, catalog.alpha(ProviderChoice.parse("acme:0.25")).alpha(null, null));
    assertEquals(
        0.75, catalog.alpha(ProviderChoice.of("acme").with("step", "0.75")).alpha(null, null));
  }

  @Test
  void completesAChoiceWithDefaultsAndKeys() {
    ProviderChoice complete =
        withAcme().complete(ProviderKind.ALPHA, ProviderChoice.parse("acme:0.25"));

    assertEquals(new ProviderChoice("acme", Map.of("step", "0.25", "remark", "none")), complete);
    assertEquals(0.25, withAcme().alpha(complete).alpha(null, null));
  }

  @Test
  void theColonMayStandInTheValue() {
    assertEquals(
        new ProviderChoice("csv", Map.of(ProviderChoice.FIRST_OPTION, "a:b")),
        ProviderChoice.parse(" csv : a:b "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ":0.4", "fixed:", "fixed: "})
  void refusesChoicesWithoutAnIdOrWithoutAValue(String text) {
    PecfException failure = failure(ErrorCode.BAD_OPTION, () -> ProviderChoice.parse(text));

    assertTrue(failure.getMessage().startsWith("'" + text + "'"), failure.getMessage());
  }

  @Test
  void refusesAnOptionSetTwice() {
    ProviderChoice twice = ProviderChoice.parse("acme:0.25").with("step", "0.75");

    PecfException failure = failure(ErrorCode.BAD_OPTION, () -> withAcme().alpha(twice));

    assertEquals(
        "alpha acme: step is set twice, to '0.25' after the colon and to '0.75' by name."
            + " Leave one of them out.",
        failure.getMessage());
  }

  @Test
  void refusesAValueForAProviderWithoutOptions() {
    String plain =
        AlphaPlugin.provider("plain")
            .replace("<Alpha.Options>", "<NoOptions>")
            .replace("OptionSchema<Options>", "OptionSchema<NoOptions>")
            .replace("OptionSchema.of(MethodHandles.lookup(), Options.class)", "NoOptions.schema()")
            .replace("create(Options options)", "create(NoOptions options)")
            .replace(STEP, "1");
    AlphaPlugin.of("plain", plain).in(plugins);

    PecfException failure =
        failure(ErrorCode.BAD_OPTION, () -> load().alpha(ProviderChoice.parse("plain:3")));

    assertEquals("alpha plain takes no options. Write 'plain' without ':3'.", failure.getMessage());
    assertEquals(1, load().alpha(ProviderChoice.of("plain")).alpha(null, null));
  }

  @Test
  void namesTheOwnerOfABadOption() {
    PecfException failure =
        failure(ErrorCode.BAD_OPTION, () -> withAcme().alpha(ProviderChoice.parse("acme:2")));

    assertEquals("alpha acme: step must be between 0 and 1, not 2.", failure.getMessage());
  }

  @Test
  void namesTheNearestAndAllKnownIdsForAnUnknownOne() {
    PecfException failure =
        failure(ErrorCode.UNAVAILABLE, () -> withAcme().find(ProviderKind.ALPHA, "amce"));

    assertEquals(
        "There is no alpha 'amce'. Did you mean 'acme'? Known are: acme, dynamic, fixed, uniform.",
        failure.getMessage());
  }

  @Test
  void saysSoIfNothingOfAKindIsKnown() {
    PecfException failure =
        failure(ErrorCode.UNAVAILABLE, () -> withAcme().filter(ProviderChoice.of("wmf")));

    assertEquals("There is no filter 'wmf'. None is known.", failure.getMessage());
  }

  @Test
  void blamesThePluginForWhatEscapesWhatItCreated() {
    AlphaPlugin.of("acme", AlphaPlugin.provider("acme").replace(STEP, "Double.valueOf(\"x\")"))
        .in(plugins);
    AlphaStrategy strategy = load().alpha(ProviderChoice.of("acme"));

    PecfException failure = failure(ErrorCode.PLUGIN_FAULT, () -> strategy.alpha(null, null));

    assertTrue(failure.getMessage().contains("alpha acme"), failure.getMessage());
    assertTrue(failure.getMessage().contains("acme.jar"), failure.getMessage());
    assertInstanceOf(NumberFormatException.class, failure.getCause());
  }

  @Test
  void blamesThePluginForLinkageErrors() {
    AlphaPlugin.of("acme", AlphaPlugin.provider("acme").replace(STEP, "Other.step()"))
        .source("acme.Other", "class Other { static double step() { return 1; } }")
        .without("acme.Other")
        .in(plugins);
    AlphaStrategy strategy = load().alpha(ProviderChoice.of("acme"));

    PecfException failure = failure(ErrorCode.PLUGIN_FAULT, () -> strategy.alpha(null, null));

    assertInstanceOf(NoClassDefFoundError.class, failure.getCause());
  }

  @Test
  void blamesThePluginForNull() {
    AlphaPlugin.of(
            "acme", AlphaPlugin.provider("acme").replace(CREATE, "if (true) { return null; }"))
        .in(plugins);

    PecfException failure =
        failure(ErrorCode.PLUGIN_FAULT, () -> load().alpha(ProviderChoice.of("acme")));

    assertTrue(failure.getMessage().contains("null from create"), failure.getMessage());
  }

  @Test
  void letsThePluginsOwnReportsThrough() {
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(CREATE, "if (true) throw PecfException.badData(\"Line 3 is odd.\");"))
        .in(plugins);

    PecfException failure =
        failure(ErrorCode.BAD_DATA, () -> load().alpha(ProviderChoice.of("acme")));

    assertEquals("Line 3 is odd.", failure.getMessage());
  }

  @Test
  void pluginsRunWithTheirOwnContextClassLoader() {
    AlphaPlugin.of(
            "acme",
            AlphaPlugin.provider("acme")
                .replace(
                    STEP,
                    "Thread.currentThread().getContextClassLoader()"
                        + " == Alpha.class.getClassLoader() ? 1 : 0"))
        .in(plugins);
    ClassLoader before = Thread.currentThread().getContextClassLoader();

    assertEquals(1, load().alpha(ProviderChoice.of("acme")).alpha(null, null));
    assertSame(before, Thread.currentThread().getContextClassLoader());
  }

  @Test
  void aBackendWhoseProbeThrowsIsUnavailable() {
    PluginJarBuilder.jar("gpu.jar")
        .module(
            """
            module gpu {
              requires org.pecf.api;
              provides org.pecf.api.compute.ComputeBackendProvider with gpu.Gpu;
            }
            """)
        .source(
            "gpu.Gpu",
            """
            import org.pecf.api.compute.*;
            import org.pecf.api.plugin.*;

            public final class Gpu implements ComputeBackendProvider<NoOptions> {
              public ProviderDescription describe() {
                return new ProviderDescription("gpu", "Computes elsewhere", SpiVersion.CURRENT);
              }
              public OptionSchema<NoOptions> options() {
                return NoOptions.schema();
              }
              public ComputeBackend create(NoOptions options) {
                return new ComputeBackend() {
                  public Availability probe() {
                    throw new UnsatisfiedLinkError("no driver");
                  }
                  public int preference(org.pecf.api.memory.GridShape shape) {
                    return 1000;
                  }
                  public long memoryEstimate(SessionContext context, int rank) {
                    return 0;
                  }
                  public ComputeSession open(SessionContext context) {
                    throw new IllegalStateException("not opened");
                  }
                };
              }
            }
            """)
        .in(plugins);
    Backend backend = load().backend(ProviderChoice.of("gpu"));

    Availability availability = backend.probe();

    assertEquals("gpu", backend.id());
    assertFalse(availability.available());
    assertTrue(availability.explanation().contains("no driver"), availability.explanation());
    failure(ErrorCode.PLUGIN_FAULT, () -> backend.open(null));
  }

  @Test
  void whatTheParentLayerProvidesIsBuiltIn() {
    ModuleLayer parent = layerOf(acme);

    PluginCatalog catalog = PluginCatalog.load(List.of(), parent, PluginTrust.inEverything());

    assertEquals(List.of("acme", "dynamic", "fixed", "uniform"), catalog.ids(ProviderKind.ALPHA));
    PluginReport report = catalog.origin(ProviderKind.ALPHA, "acme");
    assertTrue(report.builtIn());
    assertEquals(acme.toString(), report.location());
    assertEquals(Optional.of("1.2.3"), report.version());
  }

  @Test
  void aPluginDoesNotOfferWhatItsParentsProvide() {
    AlphaPlugin.of("beta").in(plugins);

    PluginCatalog catalog =
        PluginCatalog.load(List.of(plugins), layerOf(acme), PluginTrust.inEverything());

    assertEquals(
        List.of("acme", "beta", "dynamic", "fixed", "uniform"), catalog.ids(ProviderKind.ALPHA));
    assertEquals(
        List.of("beta"),
        catalog.origin(ProviderKind.ALPHA, "beta").provided().stream()
            .map(PluginReport.Provided::id)
            .toList());
    assertTrue(
        catalog.plugins().stream().allMatch(report -> report.state() == PluginReport.State.LOADED));
  }

  @Test
  void aPlainJarWithServicesWorks() {
    PluginJarBuilder.jar("acme-steps-2.1.jar")
        .source("acme.Alpha", AlphaPlugin.provider("acme"))
        .service(AlphaStrategyProvider.class, "acme.Alpha")
        .in(plugins);

    PluginCatalog catalog = load();

    assertEquals(0.25, catalog.alpha(ProviderChoice.parse("acme:0.25")).alpha(null, null));
    PluginReport report = catalog.origin(ProviderKind.ALPHA, "acme");
    assertEquals(Optional.of("acme.steps"), report.module());
    assertEquals(Optional.of("2.1"), report.version());
  }

  private static ModuleLayer layerOf(Path jar) {
    PluginFindings findings = PluginFindings.inFolder(jar, 0);
    return PluginLayer.load(new PluginFolders.Candidate(findings, List.of(jar)), ModuleLayer.boot())
        .orElseThrow();
  }
}
