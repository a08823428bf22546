/** The weighting schemes that come with the engine. */
package org.pecf.engine.construct.weighting;
