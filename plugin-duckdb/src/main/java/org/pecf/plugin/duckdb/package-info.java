/** Parquet files and SQL queries, read by DuckDB. */
package org.pecf.plugin.duckdb;
