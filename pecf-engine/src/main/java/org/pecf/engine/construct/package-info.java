/** The loops that grow ensembles. */
package org.pecf.engine.construct;
