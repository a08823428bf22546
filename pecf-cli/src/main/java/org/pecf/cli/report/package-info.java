/** Reports of finished runs: tables and JSON. */
package org.pecf.cli.report;
