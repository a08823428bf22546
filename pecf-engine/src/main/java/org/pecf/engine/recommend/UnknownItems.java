package org.pecf.engine.recommend;

/** The ways to deal with items of a new user that the model does not have. */
public enum UnknownItems {
  /** Leave them out and count them. */
  SKIP,
  /** Refuse them, before any list is made. */
  REFUSE
}
