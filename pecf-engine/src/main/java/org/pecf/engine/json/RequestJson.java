package org.pecf.engine.json;

import org.pecf.api.PecfException;
import org.pecf.engine.request.TrainingRequest;

/** The JSON form of requests, as models and results record them. */
public final class RequestJson {
  private RequestJson() {}

  /** Return the JSON text of a request. */
  public static String write(TrainingRequest request) {
    return JsonText.of(request);
  }

  /**
   * Read a request.
   *
   * @param json the text that {@link #write} returned
   * @throws PecfException if it is something else
   */
  public static TrainingRequest read(String json) {
    try {
      return JsonText.read(json, TrainingRequest.class);
    } catch (IllegalArgumentException e) {
      throw PecfException.badModel(
              "The recorded options of the run cannot be read: %s. Name the data again, with the"
                  + " options it was trained with.",
              e.getMessage())
          .causedBy(e);
    }
  }
}
