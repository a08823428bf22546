package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An item.
 *
 * @param item its id
 * @param title its title, if it is known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NamedItem(String item, @Nullable String title) {}
