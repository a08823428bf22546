package org.pecf.engine.data;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;

/**
 * Ratings in memory: what users bought, read, played or rated. Whoever has Arrow batches already
 * implements this interface, and publishes them as a loader would.
 */
@FunctionalInterface
public interface Interactions {
  /** Hand all ratings over. Called once for each training. */
  void publish(RatingSink sink);

  /**
   * The use of an item by a user.
   *
   * @param user the id of the user
   * @param item the id of the item
   * @param value the rating, if there are ratings
   * @param time the time in seconds since 1970, if times are known
   */
  record Interaction(String user, String item, OptionalDouble value, OptionalLong time) {
    public Interaction {
      if (user.isEmpty() || item.isEmpty()) {
        throw PecfException.badData(
            "An interaction of user '%s' and item '%s' has no %s. Leave it out.",
            user, item, user.isEmpty() ? "user" : "item");
      }
      if (value.isPresent() && !Float.isFinite((float) value.getAsDouble())) {
        throw PecfException.badData(
            "The value of user '%s' and item '%s' is %s. Give a number, or leave it out.",
            user, item, value.getAsDouble());
      }
    }

    /** Note that a user used an item. */
    public Interaction(String user, String item) {
      this(user, item, OptionalDouble.empty(), OptionalLong.empty());
    }

    /** Note that a user rated an item. */
    public Interaction(String user, String item, double value) {
      this(user, item, OptionalDouble.of(value), OptionalLong.empty());
    }
  }

  /**
   * Return the ratings of a collection. All of them have a value or none has; the same goes for
   * times.
   */
  static Interactions of(Iterable<Interaction> interactions) {
    return sink -> publish(interactions.iterator(), sink);
  }

  /** Return the ratings of a stream, which is read once and closed: for a single training. */
  static Interactions of(Stream<Interaction> interactions) {
    return sink -> {
      try (interactions) {
        publish(interactions.iterator(), sink);
      }
    };
  }

  private static void publish(Iterator<Interaction> interactions, RatingSink sink) {
    if (!interactions.hasNext()) {
      throw PecfException.badData("There are no interactions. Give at least one.");
    }
    int capacity = 1 << 16;
    Interaction next = interactions.next();
    RatingSchema schema =
        new RatingSchema(
            IdKind.TEXT, IdKind.TEXT, next.value().isPresent(), next.time().isPresent());
    for (long ordinal = 0; next != null; ordinal++) {
      RatingBatch batch = sink.batch(schema, capacity);
      int count = 0;
      try {
        while (next != null && count < capacity) {
          put(batch, count++, next);
          next = interactions.hasNext() ? interactions.next() : null;
        }
      } catch (RuntimeException | Error e) {
        batch.close();
        throw e;
      }
      sink.publish(ordinal, batch, count);
    }
  }

  private static void put(RatingBatch batch, int place, Interaction interaction) {
    RatingSchema schema = batch.schema();
    if (interaction.value().isPresent() != schema.rated()
        || interaction.time().isPresent() != schema.timed()) {
      throw PecfException.badData(
          "The interaction of user '%s' and item '%s' has other fields than the first one. Give all"
              + " of them a value or none, and all a time or none.",
          interaction.user(), interaction.item());
    }
    put(batch.users(), place, interaction.user());
    put(batch.items(), place, interaction.item());
    batch
        .ratings()
        .ifPresent(ratings -> ratings.setSafe(place, (float) interaction.value().getAsDouble()));
    batch.times().ifPresent(times -> times.setSafe(place, interaction.time().getAsLong()));
  }

  private static void put(FieldVector ids, int place, String id) {
    ((VarCharVector) ids).setSafe(place, id.getBytes(StandardCharsets.UTF_8));
  }
}
