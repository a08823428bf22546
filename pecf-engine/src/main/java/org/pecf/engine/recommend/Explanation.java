package org.pecf.engine.recommend;

import java.util.List;

/**
 * The parts of the score of an item for a user. The shares of the members add up to the score, and
 * so do the shares of the liked items, {@code zeros} and {@code rest}.
 *
 * @param user the id of the user, as text; empty for a new user
 * @param item the id of the item, as text
 * @param score the score that the ensemble predicts
 * @param rank the rank of the item for the user, from 1, among those that are not known of the user
 * @param candidates the number of these items
 * @param members the share of each member, in the order of construction; for a new user last the
 *     share {@code common-users} of what users of the liked items have in common
 * @param liked the items that the user likes, the largest shares first
 * @param zeros the share of the items that the user does not have
 * @param rest the part that cannot be divided: the shares of members that are not linear in the
 *     user's items, and the difference between a row as it was trained and its solution for the
 *     items as they are after training
 */
public record Explanation(
    String user,
    String item,
    double score,
    int rank,
    int candidates,
    List<MemberShare> members,
    List<LikedItem> liked,
    double zeros,
    double rest) {
  /**
   * The share of a member.
   *
   * @param filter the id of its filter
   * @param weight its weight in the ensemble
   * @param score the score that it predicts
   * @param share its weight times its score
   * @param rank the rank of the item under this member alone
   * @param exact whether its share is divided among the liked items and zeros, or else is part of
   *     the rest
   */
  public record MemberShare(
      String filter, double weight, double score, double share, int rank, boolean exact) {}

  /**
   * The share of an item that the user likes.
   *
   * @param item its id, as text
   * @param share its share of the score
   */
  public record LikedItem(String item, double share) {}

  public Explanation {
    members = List.copyOf(members);
    liked = List.copyOf(liked);
  }
}
