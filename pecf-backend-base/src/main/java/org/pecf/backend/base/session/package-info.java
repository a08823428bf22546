/** What every session does around its kernels. */
package org.pecf.backend.base.session;
