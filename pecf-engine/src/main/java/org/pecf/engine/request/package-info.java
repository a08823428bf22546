/**
 * Requests: everything that is asked of a run, by topic, with one description, one default and one
 * JSON form of every option.
 */
package org.pecf.engine.request;
