/** What every provider of a plugin has: an id, a description, typed options. */
package org.pecf.api.plugin;
