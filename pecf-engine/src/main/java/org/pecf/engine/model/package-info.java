/** Models on disk. */
package org.pecf.engine.model;
