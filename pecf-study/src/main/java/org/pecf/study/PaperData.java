package org.pecf.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.pecf.api.memory.GridShape;

/** The numbers that the paper prints about one of its data sets. */
public final class PaperData {
  /** The lengths of lists that the paper measures. */
  static final List<Integer> CUTOFFS = List.of(50, 100, 200);

  private final JsonNode data;
  private final String source;

  private PaperData(JsonNode data, String source) {
    this.data = data;
    this.source = source;
  }

  /** Recognise a data set of the paper by its numbers of users and items. */
  public static Optional<PaperData> of(GridShape shape) {
    try (InputStream stream = PaperData.class.getResourceAsStream("paper.json")) {
      JsonNode paper = new JsonMapper().readTree(stream);
      for (JsonNode data : paper.get("data")) {
        if (data.get("users").asInt() == shape.users()
            && data.get("items").asInt() == shape.items()) {
          return Optional.of(new PaperData(data, paper.get("source").asText()));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return the paper's name of the data. */
  public String name() {
    return data.get("name").asText();
  }

  /** Return where the numbers are printed. */
  public String source() {
    return source;
  }

  /** Return the paper's choice of d. */
  public int rank() {
    return data.get("rank").asInt();
  }

  /**
   * Return a printed recall.
   *
   * @param table {@code recall}, {@code d} or {@code nu-sigma}
   * @param row the name of the row, such as {@code pecf}, {@code pecf 30} or {@code 10 0.1}
   * @param cutoff M
   */
  Optional<Double> recall(String table, String row, int cutoff) {
    int place = CUTOFFS.indexOf(cutoff);
    JsonNode value = data.path(table).path(row).path(place);
    return place < 0 || value.isMissingNode() ? Optional.empty() : Optional.of(value.asDouble());
  }
}
