/** Pages about runs: one training, several beside each other, searches and studies. */
package org.pecf.study.report;
