/** The evaluation of cell fields, tile by tile. */
package org.pecf.plugin.backend.cpu.field;
