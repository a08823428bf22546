package org.pecf.serve;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pecf.engine.recommend.Explanation;

/** The answers of a model, which are written as JSON; what is null is left out. */
final class Answers {
  private Answers() {}

  /**
   * An item.
   *
   * @param item its id
   * @param title its title, if it is known
   * @param score its score or similarity, in a list that is ranked
   * @param share the amount that it adds to a score, if it is a part of one
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Item(String item, @Nullable String title, @Nullable Float score, @Nullable Double share) {}

  /**
   * A list of items.
   *
   * @param model the id of the model that made it
   * @param user the user that it is for, if one is named
   * @param item the item that it is about, if it is about one
   * @param source "model", or "popular" where the model knows nothing of the user; only in
   *     recommendations
   * @param unknown the number of items given that the model does not have, where that is ignored
   * @param items the items, best first if they have scores
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemList(
      String model,
      @Nullable String user,
      @Nullable Item item,
      @Nullable String source,
      @Nullable Integer unknown,
      List<Item> items) {}

  /**
   * Users.
   *
   * @param model the id of the model
   * @param users their ids
   */
  record UserList(String model, List<String> users) {}

  /**
   * The parts of a score. The shares of the members add up to it, and so do the shares of the liked
   * items, others, zeros and rest.
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
   * @param rest the part that cannot be divided
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ScoreParts(
      String model,
      @Nullable String user,
      Item item,
      double score,
      int rank,
      int candidates,
      @JsonIgnoreProperties("exact") List<Explanation.MemberShare> members,
      List<Item> liked,
      double others,
      double zeros,
      double rest) {}

  /**
   * The facts about the model that is served.
   *
   * @param id the checksum of its manifest
   * @param created the time of its training
   * @param version the version of PECF that trained it
   * @param complete whether its training came to its end
   * @param users the number of its users
   * @param items the number of its items
   * @param titles whether titles of items are known
   * @param opened the time at which it was opened
   * @param reloads the number of models that came after the first since the start
   * @param problem why the last attempt to open another model failed, if it did
   * @param metrics the value of each metric by part
   * @param metricsOf the ensemble that the metrics belong to
   * @param options the options of its training, if the model says
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ModelFacts(
      String id,
      String created,
      String version,
      boolean complete,
      int users,
      int items,
      boolean titles,
      String opened,
      int reloads,
      @Nullable String problem,
      Map<String, Map<String, Double>> metrics,
      String metricsOf,
      @Nullable Map<String, Object> options) {}
}
