/** Pages of charts and tables. */
package org.pecf.study.page;
