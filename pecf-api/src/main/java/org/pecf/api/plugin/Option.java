package org.pecf.api.plugin;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Describe one component of an options record.
 *
 * <p>The key of the option is the component's name in kebab case: {@code lambdaUser} is set by
 * {@code lambda-user}. Components may be int, long, float, double, boolean, String, an enum (its
 * constants in kebab case) or OptionalDouble (empty when not set).
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Option {
  /** Return what the option means, in one line. */
  String value();

  /** Return the default as text; empty for an OptionalDouble or String that starts unset. */
  String defaultValue();

  /** Return the smallest value a number may take. */
  double min() default Double.NEGATIVE_INFINITY;

  /** Return the largest value a number may take. */
  double max() default Double.POSITIVE_INFINITY;
}
