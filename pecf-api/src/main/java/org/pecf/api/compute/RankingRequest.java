package org.pecf.api.compute;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.pecf.api.field.CellField;
import org.pecf.api.field.PartMask;
import org.pecf.api.memory.SparseCells;

/**
 * The request for the highest-scored items of consecutive users.
 *
 * @param scores a {@link org.pecf.api.field.Score} or a {@link org.pecf.api.field.Linear}
 *     combination of them
 * @param firstUser the first user
 * @param users how many users
 * @param depth how many items a user at most
 * @param excluded sets of cells whose items are not ranked for their users
 * @param candidates if present, only cells of this part are ranked
 * @param needed if present, only users who have a cell in it are looked at: the lists of others may
 *     be left empty, which saves time where few are needed
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record RankingRequest(
    CellField scores,
    int firstUser,
    int users,
    int depth,
    List<SparseCells> excluded,
    Optional<PartMask> candidates,
    Optional<SparseCells> needed) {
  public RankingRequest {
    excluded = List.copyOf(excluded);
    if (depth < 1 || users < 1 || firstUser < 0) {
      throw new IllegalArgumentException(
          "cannot rank " + depth + " items of " + users + " users from " + firstUser);
    }
  }

  /** Ask for the lists of all of the users. */
  public RankingRequest(
      CellField scores,
      int firstUser,
      int users,
      int depth,
      List<SparseCells> excluded,
      Optional<PartMask> candidates) {
    this(scores, firstUser, users, depth, excluded, candidates, Optional.empty());
  }

  /** Return whether the list of a user is looked at. */
  public boolean needs(int user) {
    return needed.isEmpty() || needed.get().userCount(user) > 0;
  }
}
