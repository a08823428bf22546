/** MovieLens data in its three published forms. */
package org.pecf.plugin.loaders.movielens;
