/** The fixture that the tests of all loaders share. */
package org.pecf.plugin.loaders.testing;
