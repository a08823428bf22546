/** Stored models that go on learning from new data. */
package org.pecf.engine.recommend.update;
