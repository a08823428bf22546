package org.pecf.engine.plugin;

/** Write the smallest plugins: alpha strategies that return their first option. */
public final class AlphaPlugin {
  /** Stands in the constructor of the provider: replace it by statements. */
  public static final String CONSTRUCTOR = "/* constructor */";

  /** Stands at the start of describe(): replace it by statements. */
  public static final String DESCRIBE = "/* describe */";

  /** Stands at the start of create(): replace it by statements. */
  public static final String CREATE = "/* create */";

  /** Stands for what the strategy returns: replace it by an expression. */
  public static final String STEP = "options.step()";

  private AlphaPlugin() {}

  /** Start the jar of a modular plugin whose jar, module, package and provider id are one word. */
  public static PluginJarBuilder of(String name) {
    return of(name, provider(name));
  }

  /** Start the jar of a modular plugin with a provider of one's own. */
  public static PluginJarBuilder of(String name, String provider) {
    return PluginJarBuilder.jar(name + ".jar")
        .module(module(name, ""))
        .source(name + ".Alpha", provider);
  }

  /** Write the module-info of a plugin that requires more modules. */
  public static String module(String name, String requires) {
    return """
        module %1$s {
          requires org.pecf.api;
          %2$s
          provides org.pecf.api.ensemble.AlphaStrategyProvider with %1$s.Alpha;
        }
        """
        .formatted(name, requires);
  }

  /** Write a provider. */
  public static String provider(String id) {
    return """
        import java.lang.invoke.MethodHandles;
        import org.pecf.api.*;
        import org.pecf.api.ensemble.*;
        import org.pecf.api.plugin.*;

        public final class Alpha implements AlphaStrategyProvider<Alpha.Options> {
          public record Options(
              @Option(value = "the step", defaultValue = "0.5", min = 0, max = 1) double step,
              @Option(value = "a remark", defaultValue = "none") String remark) {}

          public Alpha() {
            /* constructor */
          }

          @Override
          public ProviderDescription describe() {
            /* describe */
            return new ProviderDescription("%s", "Takes equal steps", SpiVersion.CURRENT);
          }

          @Override
          public OptionSchema<Options> options() {
            return OptionSchema.of(MethodHandles.lookup(), Options.class);
          }

          @Override
          public AlphaStrategy create(Options options) {
            /* create */
            return (step, kernels) -> options.step();
          }
        }
        """
        .formatted(id);
  }
}
