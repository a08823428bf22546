/** A browser for the tests of pages, in a jar that other modules' tests use too. */
package org.pecf.study.page.browser;
