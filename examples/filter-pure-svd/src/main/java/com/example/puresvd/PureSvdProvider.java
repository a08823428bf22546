package com.example.puresvd;

import java.lang.invoke.MethodHandles;
import java.lang.module.ModuleDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.pecf.api.filter.BaseFilter;
import org.pecf.api.filter.BaseFilterProvider;
import org.pecf.api.filter.RowFitter;
import org.pecf.api.filter.SettingsSpace;
import org.pecf.api.filter.SettingsSpace.Axis;
import org.pecf.api.memory.GridShape;
import org.pecf.api.plugin.Option;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.api.plugin.SpiVersion;

/** The provider of PureSVD: zeros are zeros, and ratings are projected on their main directions. */
public final class PureSvdProvider implements BaseFilterProvider<PureSvdProvider.Options> {
  static final String ID = "pure-svd";

  /**
   * The hyper-parameters.
   *
   * @param rank the number of directions
   * @param iterations the number of refinements
   */
  public record Options(
      @Option(value = "number of factors", defaultValue = "20", min = 1, max = 4096) int rank,
      @Option(value = "subspace iterations", defaultValue = "5", min = 1, max = 1000)
          int iterations) {}

  @Override
  public ProviderDescription describe() {
    return new ProviderDescription(
        ID,
        "truncated singular value decomposition with EJML " + ejmlVersion(),
        SpiVersion.CURRENT);
  }

  @Override
  public OptionSchema<Options> options() {
    return OptionSchema.of(MethodHandles.lookup(), Options.class);
  }

  @Override
  public BaseFilter create(Options options) {
    return new PureSvd(options.rank(), options.iterations());
  }

  @Override
  public Optional<RowFitter> rowFitter() {
    return Optional.of(PureSvd::newUser);
  }

  @Override
  public Optional<SettingsSpace> settingsSpace(
      GridShape shape, long positives, Map<String, String> given) {
    double most = Math.min(shape.users(), shape.items());
    return Optional.of(
        SettingsSpace.ofOptions(
            List.of(new Axis("rank", Math.min(20, most), 2, 1, most)),
            List.of("rank"),
            point -> 1e-8 * positives * point[0]));
  }

  /** Return the version in use here, whichever one the rest of the program uses. */
  private static String ejmlVersion() {
    return Optional.ofNullable(DMatrixRMaj.class.getModule().getDescriptor())
        .flatMap(ModuleDescriptor::rawVersion)
        .orElse("of the class path");
  }
}
