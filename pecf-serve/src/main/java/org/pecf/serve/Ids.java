package org.pecf.serve;

import java.util.Collection;
import org.pecf.engine.data.IdMap;

/** The ids that requests name. */
final class Ids {
  private static final int LONGEST_QUOTED = 80;

  private Ids() {}

  /** Return a text of a client as a message may repeat it: short, without control characters. */
  static String quoted(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= LONGEST_QUOTED ? plain : plain.substring(0, LONGEST_QUOTED) + "…";
  }

  /**
   * Refuse a user or item that the model does not have.
   *
   * @throws Refusal with status 404
   */
  static void checkKnown(IdMap ids, String noun, String id) {
    if (ids.search(id).isEmpty()) {
      throw Refusal.notFound("The model has no %s with the id '%s'.", noun, quoted(id));
    }
  }

  /**
   * Refuse items of which the model lacks one.
   *
   * @throws Refusal with status 422
   */
  static void checkAllKnown(IdMap items, Collection<String> ids) {
    for (String id : ids) {
      if (items.search(id).isEmpty()) {
        throw Refusal.unprocessable(
            "The model has no item with the id '%s'. Leave it out, or send \"unknownItems\":"
                + " \"ignore\".",
            quoted(id));
      }
    }
  }
}
