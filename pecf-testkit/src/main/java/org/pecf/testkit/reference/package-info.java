/** Slow and obvious implementations that follow the definitions, cell by cell. */
package org.pecf.testkit.reference;
