/** The contracts of the SPI, as JUnit classes for plugin authors to extend. */
package org.pecf.testkit.contract;
