/** Evaluation: rank items for users, compare with the held-out part, report metrics. */
package org.pecf.engine.evaluate;
