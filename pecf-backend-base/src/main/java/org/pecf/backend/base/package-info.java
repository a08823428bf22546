/** What backends have in common: how they read requests, not how they compute. */
package org.pecf.backend.base;
