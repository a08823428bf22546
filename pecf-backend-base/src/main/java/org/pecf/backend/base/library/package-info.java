/** Where native libraries are unpacked to. */
package org.pecf.backend.base.library;
