package org.pecf.api.data;

import org.apiguardian.api.API;

/** The kinds of id that users and items have in their source. They are never converted. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum IdKind {
  /** Whole numbers of 64 bits. */
  INTEGER,
  /** Any text. */
  TEXT
}
