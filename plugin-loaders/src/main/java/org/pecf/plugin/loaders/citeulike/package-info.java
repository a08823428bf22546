/** CiteULike user lists: a line of items per user. */
package org.pecf.plugin.loaders.citeulike;
