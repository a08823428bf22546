/** PECF on Spark: an estimator and a model of Spark ML, and the training behind them. */
@NullMarked
package org.pecf.spark;

import org.jspecify.annotations.NullMarked;
