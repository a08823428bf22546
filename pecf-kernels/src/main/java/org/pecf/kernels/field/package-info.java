/** Functions of many cells at once. */
package org.pecf.kernels.field;
