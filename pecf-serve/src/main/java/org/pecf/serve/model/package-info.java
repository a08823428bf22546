/** The model that is served: opened, shared by requests, and replaced while they go on. */
package org.pecf.serve.model;
