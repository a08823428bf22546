/** The common part of all providers: an id, a description, typed options. */
package org.pecf.api.plugin;
