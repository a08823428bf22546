/**
 * Contracts that plugins must keep, as JUnit classes to extend; references that are slow and
 * obvious; fixtures.
 */
package org.pecf.testkit;
