/** MovieLens data in its three published forms. */
package org.pecf.loaders.movielens;
