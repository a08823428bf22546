/** Cell fields as every backend sees them: windows of the grid, observed sets, score slots. */
package org.pecf.backend.field;
