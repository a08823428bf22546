package org.pecf.plugin.loaders.text;

import org.pecf.api.data.ColumnRole;

/** The report that an id is not an integer although all ids before it were. */
public final class TextIdFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ColumnRole role;

  TextIdFound(ColumnRole role) {
    super(role.word(), null, false, false);
    this.role = role;
  }

  /** Return whether it is the id of a user or of an item. */
  public ColumnRole role() {
    return role;
  }
}
