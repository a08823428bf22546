/** The resources of work: memory, threads, backends, and access to data. */
package org.pecf.engine.resource;
