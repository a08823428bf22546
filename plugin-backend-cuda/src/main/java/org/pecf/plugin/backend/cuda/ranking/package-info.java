/** The highest-scored items of each user, found on the device. */
package org.pecf.plugin.backend.cuda.ranking;
