/** A filter of a third party: the truncated singular value decomposition of the ratings. */
package com.example.puresvd;
