/** What pairwise steps are made on: which positives an epoch visits, where negatives come from. */
package org.pecf.backend.base.pairwise;
