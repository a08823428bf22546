/** Baselines: popularity, item neighbourhoods and EASE. */
package org.pecf.plugin.baselines;
