package org.pecf.plugin.backend.cuda.field;

/** An operation of a {@link FieldProgram}; its place is its number in the kernels' source. */
enum FieldOperation {
  PUSH_CONSTANT,
  PUSH_TILE,
  PUSH_OBSERVED,
  PUSH_PART,
  COPY,
  MULTIPLY_ADD,
  MULTIPLY,
  POSTERIOR,
  RESPONSIBILITY,
  LOG_DENSITY,
  STORE;

  /** The component of {@link #RESPONSIBILITY} that stands for all of them. */
  static final int ALL = -1;
}
