/** The highest-scored items of each user. */
package org.pecf.plugin.backend.cpu.ranking;
