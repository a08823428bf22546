package org.pecf.study;

/**
 * The end of a training of a study, or its earlier end found again.
 *
 * @param key which
 * @param outcome the outcome, for people
 * @param done how many are done
 * @param all how many there are
 * @param found whether it was done before
 */
public record JobFinished(String key, String outcome, int done, int all, boolean found)
    implements StudyStep {
  @Override
  public String summary() {
    return String.format(
        "job %s/%s: %s: %s%s", done, all, key, outcome, found ? " (done before)" : "");
  }
}
