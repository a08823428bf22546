/** The Netflix Prize data, a block of lines per movie. */
package org.pecf.plugin.loaders.netflix;
