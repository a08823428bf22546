/** Lists of items as in CiteULike, one line per user. */
package org.pecf.plugin.loaders.citeulike;
