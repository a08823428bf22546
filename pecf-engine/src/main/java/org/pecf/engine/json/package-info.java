/** The JSON form of records. */
package org.pecf.engine.json;
