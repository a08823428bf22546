package org.pecf.api.data;

import org.apiguardian.api.API;

/** The certainty with which a loader recognises its format. Higher constants are more certain. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Recognition {
  /** The source is in another format. */
  NO,
  /** The source could be meant for the loader but is broken; loading it explains the problem. */
  BROKEN,
  /** The loader can read the source, but a more specific format would be a better guess. */
  POSSIBLE,
  /** The source looks like the format. */
  LIKELY,
  /** The source carries the format's own mark. */
  CERTAIN
}
