package org.pecf.plugin.loaders.synthetic;

import java.util.ArrayList;
import java.util.List;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.Seed;
import org.pecf.plugin.loaders.text.RatingColumns;

/** The loader of synthetic data, which draws it. */
final class SyntheticLoader implements RatingLoader {
  private static final RatingSchema SCHEMA =
      new RatingSchema(IdKind.INTEGER, IdKind.INTEGER, false, false);
  private static final int BLOCK_POSITIVES = 1 << 16;

  private final SyntheticLoaderProvider.Options options;

  SyntheticLoader(SyntheticLoaderProvider.Options options) {
    this.options = options;
  }

  /**
   * Claim unknown embedded names as well if no other loader does, to answer with the known ones.
   */
  @Override
  public Recognition recognise(DataSource source) {
    return source
        .builtin()
        .map(name -> Dimensions.exists(name) ? Recognition.CERTAIN : Recognition.POSSIBLE)
        .orElse(Recognition.NO);
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    String name =
        source
            .builtin()
            .orElseThrow(
                () ->
                    PecfException.badData(
                        "'%s' is not embedded data, and the format synthetic reads no files. Use"
                            + " one of %s.",
                        source.location(), String.join(", ", Dimensions.locations())));
    Dimensions dimensions = Dimensions.of(name, options);
    Seed seed = new Seed(options.seed());
    Population population =
        dimensions.noise()
            ? Population.ofNoise(dimensions, seed.child("noise"))
            : Population.ofTastes(dimensions, seed, context.parallelism());
    int[] degrees = population.degrees();
    List<Block> blocks = blocks(degrees);
    Population.ItemSampler[] samplers = new Population.ItemSampler[context.parallelism().threads()];
    RatingColumns[] columns = new RatingColumns[samplers.length];
    context
        .parallelism()
        .forEach(
            blocks.size(),
            (index, worker) -> {
              if (samplers[worker] == null) {
                samplers[worker] = population.samplers().get();
                columns[worker] = new RatingColumns(SCHEMA);
              }
              Block block = blocks.get(index);
              RatingColumns target = columns[worker];
              target.reserve(block.positives);
              for (int user = block.from; user < block.to; user++) {
                int[] chosen = samplers[worker].items(user, degrees[user]);
                for (int i = 0; i < degrees[user]; i++) {
                  target.add(user, chosen[i]);
                }
              }
              target.publish(sink, index);
            });
  }

  /** Divide the users into blocks of about equally many positives, whatever the threads. */
  private static List<Block> blocks(int[] degrees) {
    List<Block> blocks = new ArrayList<>();
    int from = 0;
    int positives = 0;
    for (int user = 0; user < degrees.length; user++) {
      positives += degrees[user];
      if (positives >= BLOCK_POSITIVES || user == degrees.length - 1) {
        blocks.add(new Block(from, user + 1, positives));
        from = user + 1;
        positives = 0;
      }
    }
    return blocks;
  }

  private record Block(int from, int to, int positives) {}
}
