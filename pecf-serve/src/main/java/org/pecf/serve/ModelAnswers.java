package org.pecf.serve;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.json.JsonText;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.NewUser;
import org.pecf.engine.recommend.NewUserLists;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UnknownItems;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.serve.Answers.Item;
import org.pecf.serve.Answers.ItemList;
import org.pecf.serve.Answers.ModelFacts;
import org.pecf.serve.Answers.ScoreParts;
import org.pecf.serve.Answers.UserList;
import org.pecf.serve.model.CurrentModel;
import org.pecf.serve.model.ServedModel;

/** The answers of a model to requests. */
final class ModelAnswers {
  private static final int USUAL_COUNT = 10;
  private static final int USUAL_MATCHES = 20;
  private static final int USUAL_SHARES = 20;
  private static final List<String> FALLBACKS = List.of("popular", "none");

  private final CurrentModel current;
  private final ServerLimits limits;

  ModelAnswers(CurrentModel current, ServerLimits limits) {
    this.current = current;
    this.limits = limits;
  }

  /**
   * Answer a request.
   *
   * @param route one that needs the model
   * @param variable the variable part of the path
   * @param query the query as it was sent, or null
   * @param body the body, empty if the route has none. Not modified.
   * @return a record to be written as JSON
   */
  Object answer(Route route, String variable, @Nullable String query, byte[] body) {
    try (ServedModel model = current.use()) {
      Parameters asked = parameters(route, query, body);
      return switch (route) {
        case MODEL -> facts(model);
        case RECOMMEND -> recommend(model, variable, asked);
        case RECOMMEND_NEW -> recommendNew(model, asked);
        case SIMILAR -> similar(model, variable, asked);
        case EXPLAIN -> explain(model, asked);
        case EXPLAIN_NEW -> explainNew(model, asked);
        case HISTORY -> history(model, variable);
        case ITEMS -> items(model, asked);
        case USERS -> users(model, asked);
        default -> throw new IllegalArgumentException("not a route of the model: " + route);
      };
    }
  }

  private Parameters parameters(Route route, @Nullable String query, byte[] body) {
    if (!route.hasBody()) {
      return Parameters.ofQuery(query, route.parameters(), limits.ids());
    }
    Parameters.ofQuery(query, Set.of(), limits.ids());
    return Parameters.ofBody(body, route.parameters(), limits.ids());
  }

  private ItemList recommend(ServedModel model, String user, Parameters asked) {
    RecommendationRequest request = request(asked);
    IdMap users = model.recommender().users();
    if (request.strict() || !users.canHold(user)) {
      checkKnown(users, "user", user);
    }
    return list(
        model,
        user,
        null,
        model.recommender().recommend(List.of(user), request).findFirst().orElseThrow());
  }

  private ItemList recommendNew(ServedModel model, Parameters asked) {
    RecommendationRequest request = request(asked);
    List<String> history = requiredHistory(asked, !request.strict());
    Recommender recommender = model.recommender();
    boolean refuse = asked.word("unknownItems", List.of("refuse", "ignore")).equals("refuse");
    if (refuse) {
      checkAllKnown(recommender.items(), history);
    }
    NewUserLists made =
        recommender.recommendFor(List.of(new NewUser("", history)), request, UnknownItems.SKIP);
    if (request.strict() && made.usersWithoutItems() > 0) {
      throw Refusal.unprocessable(
          "The model has no item of the history. Name one that it has, or send \"fallback\":"
              + " \"popular\".");
    }
    return list(
        model, null, refuse ? null : made.unknownItems(), made.lists().findFirst().orElseThrow());
  }

  private static ItemList list(
      ServedModel model,
      @Nullable String user,
      @Nullable Integer unknown,
      UserRecommendations list) {
    return new ItemList(
        model.id(), user, null, list.source().text(), unknown, ranked(model, list.items()));
  }

  private ItemList similar(ServedModel model, String item, Parameters asked) {
    int count = count(asked, USUAL_COUNT);
    checkKnown(model.recommender().items(), "item", item);
    return new ItemList(
        model.id(),
        null,
        named(model, item),
        null,
        null,
        ranked(model, model.recommender().similar(item, count)));
  }

  private ScoreParts explain(ServedModel model, Parameters asked) {
    String user = asked.requiredId("user");
    String item = asked.requiredId("item");
    int count = count(asked, USUAL_SHARES);
    checkKnown(model.recommender().users(), "user", user);
    checkKnown(model.recommender().items(), "item", item);
    return parts(model, user, model.recommender().explain(user, item), count);
  }

  private ScoreParts explainNew(ServedModel model, Parameters asked) {
    List<String> history = requiredHistory(asked, false);
    String item = asked.requiredId("item");
    int count = count(asked, USUAL_SHARES);
    checkAllKnown(model.recommender().items(), history);
    checkAllKnown(model.recommender().items(), List.of(item));
    return parts(model, null, model.recommender().explainFor(history, item), count);
  }

  private ItemList history(ServedModel model, String user) {
    checkKnown(model.recommender().users(), "user", user);
    return items(model, user, model.recommender().liked(user));
  }

  private ItemList items(ServedModel model, Parameters asked) {
    String text = asked.id("search").orElse("");
    int count = count(asked, USUAL_MATCHES);
    return items(model, null, model.searchItems(text, count));
  }

  private UserList users(ServedModel model, Parameters asked) {
    String text = asked.id("search").orElse("");
    return new UserList(model.id(), model.searchUsers(text, count(asked, USUAL_MATCHES)));
  }

  private ModelFacts facts(ServedModel model) {
    ModelDescription description = model.recommender().description();
    return new ModelFacts(
        model.id(),
        description.created().toString(),
        description.pecfVersion(),
        description.complete(),
        model.recommender().users().size(),
        model.recommender().items().size(),
        model.hasTitles(),
        model.opened().toString(),
        current.reloads(),
        current.problem().orElse(null),
        new TreeMap<>(description.metrics()),
        description.metricsOf(),
        options(description));
  }

  private static @Nullable Map<String, Object> options(ModelDescription description) {
    try {
      return JsonText.fields(description.request());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static List<String> requiredHistory(Parameters asked, boolean mayBeEmpty) {
    List<String> history =
        asked
            .ids("history")
            .orElseThrow(
                () -> Refusal.bad("The field 'history' is missing: the ids of items liked."));
    if (history.isEmpty() && !mayBeEmpty) {
      throw Refusal.bad("The field 'history' is empty. Name an item that the user likes.");
    }
    return history;
  }

  private RecommendationRequest request(Parameters asked) {
    return new RecommendationRequest(
        count(asked, USUAL_COUNT),
        asked.flag("includeKnown"),
        asked.ids("only").map(HashSet::new),
        new HashSet<>(asked.ids("exclude").orElse(List.of())),
        asked.word("fallback", FALLBACKS).equals("none"));
  }

  private int count(Parameters asked, int usual) {
    int count = asked.number("count").orElse(Math.min(usual, limits.count()));
    if (count < 1 || count > limits.count()) {
      throw Refusal.bad("The count is %d. Ask for 1 to %d.", count, limits.count());
    }
    return count;
  }

  private static Item named(ServedModel model, String item) {
    return new Item(item, model.title(item), null, null);
  }

  private static ItemList items(ServedModel model, @Nullable String user, List<String> items) {
    return new ItemList(
        model.id(),
        user,
        null,
        null,
        null,
        items.stream().map(item -> named(model, item)).toList());
  }

  private static List<Item> ranked(ServedModel model, List<Recommendation> list) {
    return list.stream()
        .map(one -> new Item(one.item(), model.title(one.item()), one.score(), null))
        .toList();
  }

  private static ScoreParts parts(
      ServedModel model, @Nullable String user, Explanation explanation, int count) {
    return new ScoreParts(
        model.id(),
        user,
        named(model, explanation.item()),
        explanation.score(),
        explanation.rank(),
        explanation.candidates(),
        explanation.members(),
        explanation.liked().stream()
            .limit(count)
            .map(one -> new Item(one.item(), model.title(one.item()), null, one.share()))
            .toList(),
        explanation.liked().stream().skip(count).mapToDouble(Explanation.LikedItem::share).sum(),
        explanation.zeros(),
        explanation.rest());
  }

  /** Refuse a user or item that the model does not have. */
  private static void checkKnown(IdMap ids, String noun, String id) {
    if (ids.search(id).isEmpty()) {
      throw Refusal.notFound("The model has no %s with the id '%s'.", noun, Refusal.quoted(id));
    }
  }

  /** Refuse items of which the model lacks one. */
  private static void checkAllKnown(IdMap items, Collection<String> ids) {
    for (String id : ids) {
      if (items.search(id).isEmpty()) {
        throw Refusal.unprocessable(
            "The model has no item with the id '%s'. Leave it out, or send \"unknownItems\":"
                + " \"ignore\".",
            Refusal.quoted(id));
      }
    }
  }
}
