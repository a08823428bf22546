/**
 * Loaders of ratings: MovieLens, CiteULike, Netflix Prize, CSV, Arrow, and planted synthetic data.
 *
 * @provides org.pecf.api.data.RatingLoaderProvider
 */
module org.pecf.plugin.loaders {
  requires org.pecf.api;

  provides org.pecf.api.data.RatingLoaderProvider with
      org.pecf.loaders.arrow.ArrowLoaderProvider,
      org.pecf.loaders.citeulike.CiteULikeLoaderProvider,
      org.pecf.loaders.csv.CsvLoaderProvider,
      org.pecf.loaders.movielens.MovieLensLoaderProvider,
      org.pecf.loaders.netflix.NetflixLoaderProvider,
      org.pecf.loaders.synthetic.SyntheticLoaderProvider;
}
