/** The service: its settings, its routes and the server that answers them. */
package org.pecf.serve;
