package org.pecf.study.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.evaluate.EvaluationReport;
import org.pecf.engine.evaluate.MetricKey;

/**
 * The metrics of each user, as they are stored beside a model so that runs can be compared user by
 * user: a compressed CSV file.
 *
 * @param metrics the keys of the metrics
 * @param values one value per metric, by the id of the user
 */
record UserMetrics(List<String> metrics, Map<String, double[]> values) {
  /** The name of the file in an output folder. */
  static final String NAME = "user-metrics.csv.gz";

  /** The most users that are stored; more would not make a test any better. */
  private static final int MOST_USERS = 100_000;

  private static final int MOST_LINE = 1 << 16;

  /** Write the recall and the NDCG of the users of a report. */
  static void write(Path file, EvaluationReport report, IdMap users) throws IOException {
    List<MetricKey> keys =
        report.values().keySet().stream()
            .filter(
                key -> key.metric().equals(MetricKey.RECALL) || key.metric().equals(MetricKey.NDCG))
            .toList();
    List<double[]> columns = keys.stream().map(report::perUser).toList();
    int[] counted = report.users();
    int step = Math.max(1, (counted.length + MOST_USERS - 1) / MOST_USERS);
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8)) {
      out.write("user");
      for (MetricKey key : keys) {
        out.write("," + key);
      }
      out.write('\n');
      for (int k = 0; k < counted.length; k += step) {
        out.write(quoted(users.textAt(counted[k])));
        for (double[] column : columns) {
          out.write("," + short5(column[k]));
        }
        out.write('\n');
      }
    }
  }

  private static String short5(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.5f", value);
  }

  private static String quoted(String id) {
    return '"' + id.replace("\"", "\"\"").replace('\n', ' ').replace('\r', ' ') + '"';
  }

  /**
   * Read the file of a run.
   *
   * @throws IOException if it is not such a file
   */
  static UserMetrics read(Path file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      String head = in.readLine();
      if (head == null || !head.startsWith("user,")) {
        throw new IOException("it does not begin with a heading");
      }
      List<String> metrics = List.of(head.substring("user,".length()).split(","));
      Map<String, double[]> values = new LinkedHashMap<>();
      for (String line = in.readLine();
          line != null && values.size() <= 2 * MOST_USERS;
          line = in.readLine()) {
        int end = line.lastIndexOf('"');
        if (line.length() > MOST_LINE || end < 1 || end + 1 >= line.length()) {
          throw new IOException("line " + (values.size() + 2) + " does not name a user");
        }
        values.put(line.substring(0, end + 1), numbers(line.substring(end + 2), metrics.size()));
      }
      return new UserMetrics(metrics, values);
    } catch (NumberFormatException e) {
      throw new IOException("it holds a value that is no number", e);
    }
  }

  private static double[] numbers(String text, int count) throws IOException {
    String[] parts = text.split(",");
    if (parts.length != count) {
      throw new IOException("a line has " + parts.length + " values instead of " + count);
    }
    double[] numbers = new double[count];
    for (int k = 0; k < count; k++) {
      numbers[k] = Double.parseDouble(parts[k]);
    }
    return numbers;
  }

  /** Return the values of a metric, in the order of the given users, who all have one. */
  double[] of(String metric, List<String> users) {
    int column = metrics.indexOf(metric);
    return users.stream()
        .mapToDouble(user -> Objects.requireNonNull(values.get(user))[column])
        .toArray();
  }

  /** Return the users that two runs have measured. */
  static List<String> common(UserMetrics one, UserMetrics other) {
    List<String> common = new ArrayList<>(one.values.keySet());
    common.retainAll(other.values.keySet());
    return common;
  }
}
