import org.jspecify.annotations.NullMarked;

/**
 * Loaders of ratings: MovieLens, CiteULike, Netflix Prize, CSV, Arrow, and planted synthetic data.
 *
 * @provides org.pecf.api.data.RatingLoaderProvider
 */
@NullMarked
module org.pecf.plugin.loaders {
  requires de.siegmar.fastcsv;
  requires org.pecf.api;

  provides org.pecf.api.data.RatingLoaderProvider with
      org.pecf.plugin.loaders.arrow.ArrowLoaderProvider,
      org.pecf.plugin.loaders.citeulike.CiteULikeLoaderProvider,
      org.pecf.plugin.loaders.csv.CsvLoaderProvider,
      org.pecf.plugin.loaders.movielens.MovieLensLoaderProvider,
      org.pecf.plugin.loaders.netflix.NetflixLoaderProvider,
      org.pecf.plugin.loaders.synthetic.SyntheticLoaderProvider;
}
