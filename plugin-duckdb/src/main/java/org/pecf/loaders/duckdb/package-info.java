/** Parquet files and SQL queries, read by DuckDB. */
package org.pecf.loaders.duckdb;
