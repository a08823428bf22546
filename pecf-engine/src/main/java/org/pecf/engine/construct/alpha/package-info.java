/** The alpha strategies that come with the engine. */
package org.pecf.engine.construct.alpha;
