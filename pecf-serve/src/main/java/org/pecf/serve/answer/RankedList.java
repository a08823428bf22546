package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of items, best first.
 *
 * @param model the id of the model that made it
 * @param user the user that it is for, if one is named
 * @param item the item that it is about, if it is about one
 * @param source "model", or "popular" where the model knows nothing of the user; missing from lists
 *     of similar items
 * @param unknown the number of items given that the model does not have, where that is ignored
 * @param items the items
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RankedList(
    String model,
    @Nullable String user,
    @Nullable NamedItem item,
    @Nullable String source,
    @Nullable Integer unknown,
    List<RankedItem> items) {
  public RankedList {
    items = List.copyOf(items);
  }
}
