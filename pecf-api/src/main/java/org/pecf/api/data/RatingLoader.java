package org.pecf.api.data;

import org.apiguardian.api.API;
import org.pecf.api.run.RunContext;

/** A reader of ratings from a source into a sink. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface RatingLoader {
  /**
   * Say how sure the loader is, by content, that the source is in its format. Reads the beginning
   * only; never throws for strange content.
   */
  Recognition recognise(DataSource source);

  /**
   * Read all ratings.
   *
   * @param source where from
   * @param sink where to
   * @param context the resources of the run
   * @throws org.pecf.api.PecfException for bad input: file, line, column, the offending text,
   *     remedy
   */
  void load(DataSource source, RatingSink sink, RunContext context);
}
