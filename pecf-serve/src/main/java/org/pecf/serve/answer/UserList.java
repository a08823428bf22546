package org.pecf.serve.answer;

import java.util.List;

/**
 * Users.
 *
 * @param model the id of the model
 * @param users their ids
 */
public record UserList(String model, List<String> users) {
  public UserList {
    users = List.copyOf(users);
  }
}
