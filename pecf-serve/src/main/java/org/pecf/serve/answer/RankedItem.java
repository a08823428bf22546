package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An item in a list, best first.
 *
 * @param item its id
 * @param title its title, if it is known
 * @param score its score, or similarity
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RankedItem(String item, @Nullable String title, float score) {}
