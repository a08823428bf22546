/** The evaluation of cell fields on the device. */
package org.pecf.plugin.backend.cuda.field;
