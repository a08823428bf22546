/** The guards around the kernels of every session. */
package org.pecf.backend.session;
