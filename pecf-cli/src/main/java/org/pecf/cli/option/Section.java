package org.pecf.cli.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The heading of the options of a class in help texts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Section {
  /** Return the heading. */
  String value();
}
