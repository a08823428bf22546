package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Items in no order of merit.
 *
 * @param model the id of the model
 * @param user the user who likes them, if they are the likes of a user
 * @param items the items
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ItemList(String model, @Nullable String user, List<NamedItem> items) {
  public ItemList {
    items = List.copyOf(items);
  }
}
