/** Matrices and cell sets in Arrow memory, shared between plugins without copies. */
package org.pecf.api.memory;
