package org.pecf.spark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A mark of a rule of backends that Spark has no counterpart to, with the reason. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface NoCounterpart {
  /** Return the reason, as docs/spark.md states it. */
  String value();
}
