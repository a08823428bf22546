/** The Netflix Prize data, one block of lines per movie. */
package org.pecf.plugin.loaders.netflix;
