package org.pecf.api.data;

import java.util.Locale;
import org.apiguardian.api.API;

/** A part of the data, in the order in which parts may be looked at. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Part {
  /** The cells that models learn from. */
  TRAINING,
  /** The cells by which options are chosen and rounds are stopped. */
  VALIDATION,
  /** The cells on which results are reported. */
  TEST;

  /** Return the name of the part in reports, files and messages, such as "test". */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
