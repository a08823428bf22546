/** A weighting scheme of a third party, after the focal loss. */
package com.example.focal;
