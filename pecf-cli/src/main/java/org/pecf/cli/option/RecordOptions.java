package org.pecf.cli.option;

import java.util.List;
import org.pecf.api.plugin.OptionSchema;
import org.pecf.study.StudySettings;
import org.pecf.study.TuneSettings;

/**
 * The options that one record consists of.
 *
 * @param <O> the record
 */
public class RecordOptions<O extends Record> extends SchemaOptions {
  private final OptionSchema<O> schema;

  /**
   * Create some options of a record.
   *
   * @param heading the heading of the help
   * @param keys the options that have an effect on the command. Not modified.
   * @param repeatable the options that may be given several times: their values are the lines of
   *     one text. Not modified.
   */
  RecordOptions(
      String heading, OptionSchema<O> schema, List<String> keys, List<String> repeatable) {
    this.schema = schema;
    schema.descriptions().stream()
        .filter(option -> keys.contains(option.key()))
        .forEach(option -> add(heading, schema, option, repeatable.contains(option.key())));
  }

  /** Create all options of a record. */
  RecordOptions(String heading, OptionSchema<O> schema) {
    this(heading, schema, schema.keys(), List.of());
  }

  /** Return the options about what is searched, and how. */
  public static RecordOptions<TuneSettings> ofSearch() {
    OptionSchema<TuneSettings> schema = TuneSettings.SCHEMA;
    return new RecordOptions<>(Sections.SEARCH, schema, schema.keys(), List.of("search"));
  }

  /** Return the options about how much of a study is done. */
  public static RecordOptions<StudySettings> ofStudy() {
    OptionSchema<StudySettings> schema = StudySettings.SCHEMA;
    return new RecordOptions<>(Sections.STUDY, schema, schema.keys(), List.of("tuned"));
  }

  /** Return the record, with defaults for the options that were not given. */
  public O values() {
    return schema.bind("", texts());
  }
}
