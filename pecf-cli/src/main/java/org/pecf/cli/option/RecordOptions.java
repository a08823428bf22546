package org.pecf.cli.option;

import java.util.List;
import org.pecf.api.plugin.OptionDescription;
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
   * @param options those that have an effect on the command, with what applies to it if they are
   *     not given. Not modified.
   * @param repeatable the options that may be given several times: their values are the lines of
   *     one text. Not modified.
   */
  RecordOptions(
      String heading,
      OptionSchema<O> schema,
      List<OptionDescription> options,
      List<String> repeatable) {
    this.schema = schema;
    options.forEach(option -> add(heading, schema, option, repeatable.contains(option.key())));
  }

  /** Return the options of a search for settings. */
  public static RecordOptions<TuneSettings> ofSearch() {
    OptionSchema<TuneSettings> schema = TuneSettings.SCHEMA;
    return new RecordOptions<>(Sections.SEARCH, schema, schema.descriptions(), List.of("search"));
  }

  /** Return the options about how much of a study is done. */
  public static RecordOptions<StudySettings> ofStudy() {
    OptionSchema<StudySettings> schema = StudySettings.SCHEMA;
    return new RecordOptions<>(Sections.STUDY, schema, schema.descriptions(), List.of("tuned"));
  }

  /** Return the record, with defaults for the options that were not given. */
  public O values() {
    return schema.bind("", texts());
  }
}
