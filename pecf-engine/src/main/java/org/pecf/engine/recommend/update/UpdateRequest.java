package org.pecf.engine.recommend.update;

import java.nio.file.Path;
import org.pecf.api.PecfException;
import org.pecf.engine.data.DataRequest;

/**
 * The wishes for the update of a model.
 *
 * @param model the folder of the model
 * @param data the new ratings
 * @param sweeps the sweeps of each member, beginning with its stored factors
 */
public record UpdateRequest(Path model, DataRequest data, int sweeps) {
  public UpdateRequest {
    if (sweeps < 1) {
      throw PecfException.badOption("An update cannot have %d sweeps. Use 1 or more.", sweeps);
    }
  }
}
