package org.pecf.api.plugin;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * The description of one component of an options record. A {@code @param} tag does not repeat it,
 * but may add what only authors need to know.
 *
 * <p>Unless {@link #key} says otherwise, the key of the option is the component's name in kebab
 * case: {@code lambdaUser} is set by {@code lambda-user}.
 *
 * <p>A component may be an int, long, float, double, boolean, String, Path or enum (its constants
 * in kebab case); a public type with a public static method {@code parse(String)} that reads what
 * its {@code toString} writes; a List of these, written with commas; or an Optional of these or an
 * OptionalDouble, empty when not set. A component that is itself a record of options carries no
 * annotation: its options count among those of the record around it.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Option {
  /** Return the meaning of the option, in one line without a full stop. */
  String value();

  /** Return the key; empty for the component's name in kebab case. */
  String key() default "";

  /** Return a short placeholder for the value in help texts; empty for one that suits the type. */
  String label() default "";

  /** Return the default as text; empty for an option that starts unset. */
  String defaultValue() default "";

  /** Return in a few words what applies while the option is unset; empty if nothing does. */
  String unset() default "";

  /** Return the smallest value a number may take. */
  double min() default Double.NEGATIVE_INFINITY;

  /** Return the largest value a number may take. */
  double max() default Double.POSITIVE_INFINITY;
}
