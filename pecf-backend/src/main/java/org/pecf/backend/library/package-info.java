/** The folders to which native libraries are unpacked. */
package org.pecf.backend.library;
