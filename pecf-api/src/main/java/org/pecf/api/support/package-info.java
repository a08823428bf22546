/**
 * What several modules of PECF share and plugins may use at their own risk: no part of the SPI, of
 * which no type mentions any of these, and free to change with every version.
 *
 * <p>It is here because a plugin is loaded in a layer of its own, which sees this module and not
 * the engine.
 */
package org.pecf.api.support;
