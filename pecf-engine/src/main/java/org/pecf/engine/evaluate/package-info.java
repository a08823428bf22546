/** Evaluation: rank items for users, compare with what was held out, report figures. */
package org.pecf.engine.evaluate;
