/** Studies: many trainings on the same data, compared; the search for settings, and the paper's. */
package org.pecf.study;
