/** Rules for comments, texts and spelling, held over all sources. */
package org.pecf.distribution.style;
