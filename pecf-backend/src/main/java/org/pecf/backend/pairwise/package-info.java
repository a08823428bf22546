/** The samples of pairwise steps: the positives of an epoch, and the source of negatives. */
package org.pecf.backend.pairwise;
