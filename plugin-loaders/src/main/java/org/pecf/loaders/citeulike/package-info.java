/** CiteULike user lists: a line of items per user. */
package org.pecf.loaders.citeulike;
