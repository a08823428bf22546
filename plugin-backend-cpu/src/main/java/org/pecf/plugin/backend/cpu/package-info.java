/** The CPU backend: its provider and its sessions. */
package org.pecf.plugin.backend.cpu;
