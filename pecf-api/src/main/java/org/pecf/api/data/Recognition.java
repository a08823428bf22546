package org.pecf.api.data;

import org.apiguardian.api.API;

/**
 * The confidence of a loader that a source is in its format, from lowest to highest.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Recognition {
  /** It is not. */
  NO,
  /** It can be read so, but a more particular format would be a better guess. */
  POSSIBLE,
  /** It looks like it. */
  LIKELY,
  /** It carries the format's own mark. */
  CERTAIN
}
