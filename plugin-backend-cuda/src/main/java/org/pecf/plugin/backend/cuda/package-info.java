/** The CUDA backend: its provider and its sessions. */
package org.pecf.plugin.backend.cuda;
