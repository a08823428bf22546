/**
 * Plugins: finding them, loading each in a module layer of its own, and choosing providers by id.
 */
package org.pecf.engine.plugin;
