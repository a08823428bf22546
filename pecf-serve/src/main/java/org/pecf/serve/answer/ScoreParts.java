package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a score. The shares of the members add up to it, and so do the shares of the liked
 * items, zeros and rest.
 *
 * @param model the id of the model
 * @param user the user, if the model knows the user
 * @param item the item
 * @param score the score
 * @param rank the rank of the item for the user, from 1
 * @param candidates the number of items that are ranked
 * @param members the share of each member
 * @param liked the shares of the items that the user likes, the largest first
 * @param others the sum of the shares of liked items that are not listed
 * @param zeros the share of the items that the user does not have
 * @param rest the undivided rest
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScoreParts(
    String model,
    @Nullable String user,
    NamedItem item,
    double score,
    int rank,
    int candidates,
    List<MemberPart> members,
    List<LikedPart> liked,
    double others,
    double zeros,
    double rest) {
  /**
   * The share of a member.
   *
   * @param filter the id of its filter
   * @param weight its weight
   * @param score the score that it predicts
   * @param share its weight times its score
   * @param rank the rank of the item under this member alone
   */
  public record MemberPart(String filter, double weight, double score, double share, int rank) {}

  /**
   * The share of an item that the user likes.
   *
   * @param item its id
   * @param title its title, if it is known
   * @param share the amount that it adds to the score
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record LikedPart(String item, @Nullable String title, double share) {}

  public ScoreParts {
    members = List.copyOf(members);
    liked = List.copyOf(liked);
  }
}
