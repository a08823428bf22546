package org.pecf.engine.plugin;

/** Write the smallest plugins: alpha strategies that return their one option. */
final class AlphaPlugin {
  private AlphaPlugin() {}

  /** Start the jar of a modular plugin whose jar, module, package and provider id are one word. */
  static PluginJarBuilder of(String name) {
    return of(name, "");
  }

  /** Start the jar of a modular plugin that requires more modules. */
  static PluginJarBuilder of(String name, String requires) {
    return PluginJarBuilder.jar(name + ".jar")
        .module(moduleInfo(name, requires))
        .source(name + ".Alpha", provider(name, "", ""));
  }

  static String moduleInfo(String name, String requires) {
    return """
        module %1$s {
          requires org.pecf.api;
          %2$s
          provides org.pecf.api.ensemble.AlphaStrategyProvider with %1$s.Alpha;
        }
        """
        .formatted(name, requires);
  }

  /**
   * Write a provider.
   *
   * @param id its id
   * @param constructor statements of the constructor
   * @param describe statements at the start of describe()
   */
  static String provider(String id, String constructor, String describe) {
    return """
        import java.lang.invoke.MethodHandles;
        import org.pecf.api.ensemble.*;
        import org.pecf.api.plugin.*;

        public final class Alpha implements AlphaStrategyProvider<Alpha.Options> {
          public record Options(
              @Option(value = "the step", defaultValue = "0.5", min = 0, max = 1) double step,
              @Option(value = "a remark", defaultValue = "none") String remark) {}

          public Alpha() {
            %2$s
          }

          @Override
          public ProviderDescription describe() {
            %3$s
            return new ProviderDescription("%1$s", "Takes steps of one length", version());
          }

          static int version() {
            return SpiVersion.CURRENT;
          }

          @Override
          public OptionSchema<Options> options() {
            return OptionSchema.of(MethodHandles.lookup(), Options.class);
          }

          @Override
          public AlphaStrategy create(Options options) {
            return (step, kernels) -> options.step();
          }
        }
        """
        .formatted(id, constructor, describe);
  }
}
