package org.pecf.serve;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.recommend.Explanation;
import org.pecf.engine.recommend.NewUser;
import org.pecf.engine.recommend.NewUserLists;
import org.pecf.engine.recommend.Recommendation;
import org.pecf.engine.recommend.RecommendationRequest;
import org.pecf.engine.recommend.Recommender;
import org.pecf.engine.recommend.UnknownItems;
import org.pecf.engine.recommend.UserRecommendations;
import org.pecf.serve.answer.ItemList;
import org.pecf.serve.answer.ModelFacts;
import org.pecf.serve.answer.NamedItem;
import org.pecf.serve.answer.RankedItem;
import org.pecf.serve.answer.RankedList;
import org.pecf.serve.answer.ScoreParts;
import org.pecf.serve.answer.UserList;
import org.pecf.serve.model.CurrentModel;
import org.pecf.serve.model.ServedModel;

/** The answers of a model to requests. */
final class ModelAnswers {
  private static final int USUAL_COUNT = 10;
  private static final int USUAL_MATCHES = 20;
  private static final int USUAL_SHARES = 20;
  private static final List<String> FALLBACKS = List.of("popular", "none");
  private static final Set<String> LIST_PARAMETERS =
      Set.of("count", "exclude", "only", "includeKnown", "fallback");
  private static final Set<String> SEARCH_PARAMETERS = Set.of("search", "count");
  private static final Set<String> LIST_FIELDS =
      Set.of("history", "count", "exclude", "only", "includeKnown", "unknownItems", "fallback");

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
      return switch (route) {
        case MODEL -> {
          parameters(query, Set.of());
          yield facts(model);
        }
        case RECOMMEND -> recommend(model, variable, parameters(query, LIST_PARAMETERS));
        case RECOMMEND_NEW -> {
          parameters(query, Set.of());
          yield recommendNew(model, Parameters.ofBody(body, LIST_FIELDS, limits.ids()));
        }
        case SIMILAR -> similar(model, variable, parameters(query, Set.of("count")));
        case EXPLAIN -> explain(model, parameters(query, Set.of("user", "item", "count")));
        case EXPLAIN_NEW -> {
          parameters(query, Set.of());
          yield explainNew(
              model, Parameters.ofBody(body, Set.of("history", "item", "count"), limits.ids()));
        }
        case HISTORY -> {
          parameters(query, Set.of());
          yield history(model, variable);
        }
        case ITEMS -> items(model, parameters(query, SEARCH_PARAMETERS));
        case USERS -> users(model, parameters(query, SEARCH_PARAMETERS));
        default -> throw new IllegalArgumentException("not a route of the model: " + route);
      };
    }
  }

  private Parameters parameters(@Nullable String query, Set<String> known) {
    return Parameters.ofQuery(query, known, limits.ids());
  }

  private RankedList recommend(ServedModel model, String user, Parameters asked) {
    RecommendationRequest request = request(asked);
    if (request.strict()) {
      Ids.checkKnown(model.recommender().users(), "user", user);
    }
    return list(
        model,
        user,
        null,
        model.recommender().recommend(List.of(user), request).findFirst().orElseThrow());
  }

  private RankedList recommendNew(ServedModel model, Parameters asked) {
    RecommendationRequest request = request(asked);
    List<String> history = requiredHistory(asked, !request.strict());
    Recommender recommender = model.recommender();
    boolean refuse = asked.word("unknownItems", List.of("refuse", "ignore")).equals("refuse");
    if (refuse) {
      Ids.checkAllKnown(recommender.items(), history);
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

  private static RankedList list(
      ServedModel model,
      @Nullable String user,
      @Nullable Integer unknown,
      UserRecommendations list) {
    return new RankedList(
        model.id(), user, null, list.source().text(), unknown, ranked(model, list.items()));
  }

  private RankedList similar(ServedModel model, String item, Parameters asked) {
    int count = count(asked, USUAL_COUNT);
    Ids.checkKnown(model.recommender().items(), "item", item);
    return new RankedList(
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
    Ids.checkKnown(model.recommender().users(), "user", user);
    Ids.checkKnown(model.recommender().items(), "item", item);
    return parts(model, user, model.recommender().explain(user, item), count);
  }

  private ScoreParts explainNew(ServedModel model, Parameters asked) {
    List<String> history = requiredHistory(asked, false);
    String item = asked.requiredId("item");
    int count = count(asked, USUAL_SHARES);
    Ids.checkAllKnown(model.recommender().items(), history);
    Ids.checkAllKnown(model.recommender().items(), List.of(item));
    return parts(model, null, model.recommender().explainFor(history, item), count);
  }

  private ItemList history(ServedModel model, String user) {
    Ids.checkKnown(model.recommender().users(), "user", user);
    return new ItemList(model.id(), user, named(model, model.recommender().liked(user)));
  }

  private ItemList items(ServedModel model, Parameters asked) {
    String text = asked.id("search").orElse("");
    int count = count(asked, USUAL_MATCHES);
    return new ItemList(model.id(), null, named(model, model.searchItems(text, count)));
  }

  private UserList users(ServedModel model, Parameters asked) {
    String text = asked.id("search").orElse("");
    return new UserList(model.id(), model.searchUsers(text, count(asked, USUAL_MATCHES)));
  }

  private ModelFacts facts(ServedModel model) {
    ModelDescription description = model.recommender().description();
    Map<String, Map<String, @Nullable Double>> metrics = new TreeMap<>();
    description
        .metrics()
        .forEach(
            (part, values) -> {
              Map<String, @Nullable Double> finite = new LinkedHashMap<>();
              values.forEach(
                  (key, value) ->
                      finite.put(key, value.isNaN() || value.isInfinite() ? null : value));
              metrics.put(part, finite);
            });
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
        metrics,
        description.metricsOf(),
        Json.treeOrNull(description.request()));
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

  private static NamedItem named(ServedModel model, String item) {
    return new NamedItem(item, model.title(item));
  }

  private static List<NamedItem> named(ServedModel model, List<String> items) {
    return items.stream().map(item -> named(model, item)).toList();
  }

  private static List<RankedItem> ranked(ServedModel model, List<Recommendation> list) {
    return list.stream()
        .map(one -> new RankedItem(one.item(), model.title(one.item()), one.score()))
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
        explanation.members().stream()
            .map(
                one ->
                    new ScoreParts.MemberPart(
                        one.filter(), one.weight(), one.score(), one.share(), one.rank()))
            .toList(),
        explanation.liked().stream()
            .limit(count)
            .map(one -> new ScoreParts.LikedPart(one.item(), model.title(one.item()), one.share()))
            .toList(),
        explanation.liked().stream().skip(count).mapToDouble(Explanation.LikedItem::share).sum(),
        explanation.zeros(),
        explanation.rest());
  }
}
