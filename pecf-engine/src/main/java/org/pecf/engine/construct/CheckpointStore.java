package org.pecf.engine.construct;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.ScoreModel;
import org.pecf.engine.ensemble.MemberFit;

/** A store of the state of a run, section by section, from which the run can go on. */
public interface CheckpointStore extends AutoCloseable {
  /** Return the place of the store, for messages. */
  Path folder();

  /** Return the record of a section, if there is such a section. */
  <S extends Record> Optional<S> state(String section, Class<S> type);

  /**
   * Read a model of a section that exists; the caller owns it.
   *
   * @param index which of its models
   */
  ScoreModel model(String section, int index);

  /**
   * Return how a model of a section that exists was fitted, if that is known.
   *
   * @param index which of its models
   */
  Optional<MemberFit> fit(String section, int index);

  /**
   * Save a section and end others.
   *
   * @param section the name of the section
   * @param content its record. Not modified.
   * @param models the models that belong to it, which do not change as long as the run keeps them.
   *     Not modified.
   * @param fits how the models were fitted, one for each; or none at all. Not modified.
   * @param ended the names of sections that are no longer needed
   * @throws IOException if that fails; the states before are as they were
   */
  void save(
      String section,
      Record content,
      List<? extends ScoreModel> models,
      List<Optional<MemberFit>> fits,
      List<String> ended)
      throws IOException;

  /**
   * Save a section whose model does change.
   *
   * @param section the name of the section
   * @param content its record. Not modified.
   * @param model the model as it is now. Not modified.
   * @throws IOException if that fails; the states before are as they were
   */
  void saveChanging(String section, Record content, FactorModel model) throws IOException;

  /** Delete everything; nothing can be saved or found afterwards. */
  void delete();

  @Override
  void close();
}
