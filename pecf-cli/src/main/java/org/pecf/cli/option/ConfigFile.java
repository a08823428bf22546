package org.pecf.cli.option;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/**
 * A YAML file with options: the long names of options without the hyphens in front, and the
 * settings of plugins under {@code set}.
 */
public final class ConfigFile {
  /** A value, and the line that gives it. */
  private record Entry(String value, int line) {}

  private static final String SET = "set";

  /** The largest size of a file; reading YAML is slow for long values. */
  private static final int LARGEST_BYTES = 256 << 10;

  private final Path file;
  private final Map<String, Entry> options = new LinkedHashMap<>();
  private final Map<String, Entry> settings = new LinkedHashMap<>();

  private ConfigFile(Path file) {
    this.file = file;
  }

  /**
   * Read a file.
   *
   * @throws PecfException if it cannot be read, naming the file and the line
   */
  public static ConfigFile read(Path file) {
    ConfigFile config = new ConfigFile(file);
    try (YAMLParser parser = new YAMLFactory().createParser(config.text())) {
      config.parse(parser);
      return config;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw config.wrong(
          line,
          "This is not YAML ("
              + firstLine(e.getOriginalMessage())
              + "). Write one 'option: value' per line.");
    } catch (NoSuchFileException e) {
      throw PecfException.badOption("There is no configuration file %s. Check its name.", file);
    } catch (CharacterCodingException e) {
      throw PecfException.badOption("%s is not UTF-8 text. Convert it.", file);
    } catch (IOException e) {
      throw PecfException.badOption(
              "%s cannot be read (%s). Check its permissions.", file, e.getMessage())
          .causedBy(e);
    }
  }

  /** Return the content of the file; no more is read than a file may hold. */
  private String text() throws IOException {
    byte[] bytes;
    try (InputStream stream = Files.newInputStream(file)) {
      bytes = stream.readNBytes(LARGEST_BYTES + 1);
    }
    if (bytes.length > LARGEST_BYTES) {
      throw PecfException.badOption(
          "%s is larger than the %d KiB that a configuration file may have. Give the options of one"
              + " run only.",
          file, LARGEST_BYTES >> 10);
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private void parse(YAMLParser parser) throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      throw wrong(
          line(parser), "This is not a list of options. Write one 'option: value' per line.");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      int line = line(parser);
      JsonToken token = parser.nextToken();
      if (key.equals(SET)) {
        if (token != JsonToken.START_OBJECT) {
          throw wrong(
              line,
              "This is not a list of settings. Under 'set' write one 'id.option: value' per line.");
        }
        parseSettings(parser, "");
      } else {
        put(options, key, value(parser, key, line), line);
      }
    }
    if (parser.nextToken() != null) {
      throw wrong(
          line(parser),
          "A second YAML document begins here or above. Give all options in the first, without"
              + " '---' between them.");
    }
  }

  /** Read {@code wmf.rank: 50}, or {@code rank: 50} under {@code wmf}. */
  private void parseSettings(YAMLParser parser, String prefix) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = prefix + parser.currentName();
      int line = line(parser);
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        parseSettings(parser, key + ".");
      } else {
        put(settings, key, value(parser, key, line), line);
      }
    }
  }

  private String value(YAMLParser parser, String key, int line) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_ARRAY) {
      List<String> values = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        values.add(value(parser, key, line));
      }
      return String.join(",", values);
    }
    if (!token.isScalarValue() || token == JsonToken.VALUE_NULL || parser.isCurrentAlias()) {
      throw wrong(
          line,
          "'" + key + "' needs " + (token == JsonToken.VALUE_NULL ? "a value." : "a plain value."));
    }
    return parser.getText();
  }

  private void put(Map<String, Entry> entries, String key, String value, int line) {
    Entry earlier = entries.put(key, new Entry(value, line));
    if (earlier != null) {
      throw wrong(line, "'" + key + "' stands in line " + earlier.line() + " already. Remove one.");
    }
  }

  private static int line(YAMLParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  private PecfException wrong(int line, String message) {
    return PecfException.badOption("%s:%d: %s", file, line, message);
  }

  /**
   * Check that the file gives only options that exist.
   *
   * @param known the names of the options that a file may give. Not modified.
   */
  public void check(Collection<String> known) {
    options.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            throw wrong(
                entry.line(), "There is no option '" + key + "'." + Choices.suggestion(key, known));
          }
        });
  }

  /** Return the value of an option, if the file gives it. */
  public Optional<String> value(String option) {
    return Optional.ofNullable(options.get(option)).map(Entry::value);
  }

  /** Return where the file gives an option, for messages. */
  public Optional<String> place(String option) {
    return Optional.ofNullable(options.get(option)).map(entry -> file + ":" + entry.line());
  }

  /** Return the settings of plugins. */
  public Map<String, String> settings() {
    Map<String, String> values = new LinkedHashMap<>();
    settings.forEach((key, entry) -> values.put(key, entry.value()));
    return values;
  }

  /** Return the settings of plugins as lines ID.OPTION=VALUE. */
  public List<String> settingLines() {
    List<String> lines = new ArrayList<>();
    settings.forEach((key, entry) -> lines.add(key + "=" + entry.value()));
    return lines;
  }

  /**
   * Return the options of a training, if the file gives nothing else.
   *
   * @throws PecfException if it does, or if a value is wrong, naming the file and the line
   */
  public RequestOptions training() {
    check(RequestOptions.keys());
    Map<String, String> given = new LinkedHashMap<>();
    options.forEach(
        (key, entry) -> {
          TrainingRequest.SCHEMA.check(file + ":" + entry.line() + ": " + key, key, entry.value());
          given.put(key, entry.value());
        });
    given.putAll(settings());
    return new RequestOptions(given);
  }

  /** Return the text of a file that gives the options of a training. */
  public static String text(RequestOptions options) {
    Map<String, Object> values = new LinkedHashMap<>(options.given());
    values.keySet().removeAll(options.settings().keySet());
    if (!options.settings().isEmpty()) {
      values.put(SET, options.settings());
    }
    try {
      return new ObjectMapper(
              YAMLFactory.builder()
                  .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                  .disable(YAMLGenerator.Feature.SPLIT_LINES)
                  .build())
          .writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts by name can be written", e);
    }
  }
}
