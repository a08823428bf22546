package org.pecf.benchmarks.peer;

import java.util.Properties;

/**
 * The measurements of one library.
 *
 * @param name the library and its algorithm
 * @param cpuSeconds processor time of a sweep
 * @param wallSeconds elapsed time of a sweep
 * @param loadSeconds elapsed time until it could train
 * @param sweeps how many sweeps the factors were trained for
 * @param recall Recall@50 on the held-out positives
 */
record PeerResult(
    String name,
    double cpuSeconds,
    double wallSeconds,
    double loadSeconds,
    int sweeps,
    double recall) {
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("name", name);
    properties.setProperty("cpuSeconds", Double.toString(cpuSeconds));
    properties.setProperty("wallSeconds", Double.toString(wallSeconds));
    properties.setProperty("loadSeconds", Double.toString(loadSeconds));
    properties.setProperty("sweeps", Integer.toString(sweeps));
    properties.setProperty("recall", Double.toString(recall));
    return properties;
  }

  static PeerResult of(Properties properties) {
    return new PeerResult(
        properties.getProperty("name"),
        Double.parseDouble(properties.getProperty("cpuSeconds")),
        Double.parseDouble(properties.getProperty("wallSeconds")),
        Double.parseDouble(properties.getProperty("loadSeconds")),
        Integer.parseInt(properties.getProperty("sweeps")),
        Double.parseDouble(properties.getProperty("recall")));
  }
}
