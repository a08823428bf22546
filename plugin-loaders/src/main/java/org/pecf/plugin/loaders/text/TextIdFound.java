package org.pecf.plugin.loaders.text;

/** Say that an id is no integer although the ones seen before were. */
public final class TextIdFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ColumnRole role;

  TextIdFound(ColumnRole role) {
    super(role.word(), null, false, false);
    this.role = role;
  }

  /** Return whose id it is. */
  public ColumnRole role() {
    return role;
  }
}
