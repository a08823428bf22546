package org.pecf.plugin.backend.cuda;

import org.pecf.api.compute.ComputeBackend;
import org.pecf.api.compute.ComputeBackendProvider;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.api.plugin.ProviderDescription;
import org.pecf.plugin.backend.cuda.device.TileSizes;

/**
 * The CUDA backend with pieces of work so small that every test has several tiles on both streams,
 * a last one that is not full, and several panels.
 */
final class SmallTiles implements ComputeBackendProvider<CudaOptions> {
  private final CudaBackendProvider usual = new CudaBackendProvider();
  private final TileSizes sizes;

  private SmallTiles(TileSizes sizes) {
    this.sizes = sizes;
  }

  /** Return tiles for grids of a dozen rows. */
  static SmallTiles ofDozens() {
    return new SmallTiles(new TileSizes(3, 4, 40, 5));
  }

  /** Return tiles for grids of a few dozen rows: four to eight of them, and as many panels. */
  static SmallTiles ofScores() {
    return new SmallTiles(new TileSizes(7, 6, 100, 5));
  }

  @Override
  public ProviderDescription describe() {
    return usual.describe();
  }

  @Override
  public OptionSchema<CudaOptions> options() {
    return usual.options();
  }

  @Override
  public ComputeBackend create(CudaOptions options) {
    return new CudaBackend(options, sizes);
  }
}
