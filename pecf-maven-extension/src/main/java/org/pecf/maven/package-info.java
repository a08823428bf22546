/** The class that a user's Maven runs to fetch a plugin with its libraries. */
package org.pecf.maven;
