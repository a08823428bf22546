package org.pecf.plugin.loaders.arrow;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.LoaderNote;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.RatingSink;
import org.pecf.api.support.ColumnRole;
import org.pecf.api.support.EpochUnit;
import org.pecf.plugin.loaders.text.Excerpt;
import org.pecf.plugin.loaders.text.Vectors;

/** The columns of ratings in an Arrow file, passed on without a copy where types agree. */
final class ArrowColumns {
  private static final long SECONDS_PER_DAY = 86_400;

  private final Path path;
  private final DictionaryProvider dictionaries;
  private final Field user;
  private final Field item;
  private final Optional<Field> rating;
  private final Optional<Field> time;

  /** The column that is called like times but has another type. */
  private final Optional<Field> unread;

  /** A column of times whose name does not say so. */
  private final Optional<Field> unnamed;

  private final RatingSchema schema;

  /** The unit of times that are numbers, found out from the first batch; null before it. */
  private @Nullable EpochUnit unit;

  /**
   * Find the columns.
   *
   * @throws PecfException if one is missing or of a type that cannot be read
   */
  ArrowColumns(
      Path path,
      ArrowLoaderProvider.Options options,
      Schema fields,
      DictionaryProvider dictionaries) {
    this.path = path;
    this.dictionaries = dictionaries;
    this.user = column(fields, ColumnRole.USER, options.userColumn()).orElseThrow();
    this.item = column(fields, ColumnRole.ITEM, options.itemColumn()).orElseThrow();
    this.rating = column(fields, ColumnRole.RATING, options.ratingColumn());
    Optional<Field> found = column(fields, ColumnRole.TIME, options.timeColumn());
    // A column that only its name makes times is no reason to refuse the file.
    this.unread =
        options.timeColumn().isEmpty() ? found.filter(field -> !isTime(field)) : Optional.empty();
    this.time = unread.isPresent() ? Optional.empty() : found;
    this.unnamed =
        fields.getFields().stream()
            .filter(field -> time.isEmpty() && options.timeColumn().isEmpty())
            .filter(
                field ->
                    field.getType() instanceof ArrowType.Timestamp
                        || field.getType() instanceof ArrowType.Date)
            .findFirst();
    this.schema = new RatingSchema(kind(user), kind(item), rating.isPresent(), time.isPresent());
    rating.ifPresent(
        field -> {
          if (!(field.getType() instanceof ArrowType.FloatingPoint)
              && !(field.getType() instanceof ArrowType.Int)) {
            throw unreadable(field, "numbers");
          }
        });
    time.ifPresent(
        field -> {
          if (!isTime(field)) {
            throw unreadable(field, "integers (since 1970), timestamps or dates");
          }
        });
  }

  private static boolean isTime(Field field) {
    return field.getType() instanceof ArrowType.Int
        || field.getType() instanceof ArrowType.Timestamp
        || field.getType() instanceof ArrowType.Date;
  }

  /** Return a remark on times that are not read, if there are any. */
  Optional<LoaderNote> note() {
    return unread
        .map(
            field ->
                "%s: times of type %s in column '%s' are not read, as their format is unknown."
                    .formatted(path, field.getType(), Excerpt.of(name(field))))
        .or(
            () ->
                unnamed.map(
                    field ->
                        "%s: column '%s' looks like times but is not read. Set %s to read it."
                            .formatted(
                                path,
                                Excerpt.of(name(field)),
                                ColumnRole.TIME.setting("arrow", Excerpt.of(name(field))))))
        .map(LoaderNote::new);
  }

  /** Return the name of a column; Arrow lets it have none. */
  private static String name(Field field) {
    return field.getName() == null ? "" : field.getName();
  }

  private Optional<Field> column(Schema fields, ColumnRole role, String option) {
    List<String> names = fields.getFields().stream().map(ArrowColumns::name).toList();
    OptionalInt column = role.choose(option, names, "arrow", path.toString());
    return column.isPresent()
        ? Optional.of(fields.getFields().get(column.getAsInt()))
        : Optional.empty();
  }

  private IdKind kind(Field field) {
    ArrowType type = field.getType();
    if (field.getDictionary() != null) {
      type = dictionary(field).getVectorType();
    }
    if (type instanceof ArrowType.Int) {
      return IdKind.INTEGER;
    }
    if (type instanceof ArrowType.Utf8 || type instanceof ArrowType.LargeUtf8) {
      return IdKind.TEXT;
    }
    throw unreadable(field, "integers, utf8 or large utf8, plain or dictionary-encoded");
  }

  private Dictionary dictionary(Field field) {
    Dictionary dictionary = dictionaries.lookup(field.getDictionary().getId());
    if (dictionary == null) {
      throw PecfException.badData(
          "%s: the dictionary of column '%s' is missing. Write the file again.",
          path, Excerpt.of(name(field)));
    }
    return dictionary;
  }

  private PecfException unreadable(Field field, String readable) {
    return PecfException.badData(
        "%s: column '%s' is of type %s. Convert it to %s, or name another column.",
        path, Excerpt.of(name(field)), field.getType(), readable);
  }

  /**
   * Publish a record batch.
   *
   * @param root the record batch. Modified: its memory may be passed on.
   * @param firstRow the number of rows before it, for messages
   */
  void publish(VectorSchemaRoot root, long firstRow, RatingSink sink, long ordinal) {
    int count = root.getRowCount();
    RatingBatch batch = sink.batch(schema, 0);
    try {
      ids(root.getVector(user), firstRow, batch.users());
      ids(root.getVector(item), firstRow, batch.items());
      batch.ratings().ifPresent(target -> ratings(root, firstRow, target));
      batch.times().ifPresent(target -> times(root, firstRow, target));
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    sink.publish(ordinal, batch, count);
  }

  private void ids(FieldVector source, long firstRow, FieldVector target) {
    checkPresent(source, firstRow);
    if (source.getField().getDictionary() == null) {
      copyIds(source, firstRow, target);
      return;
    }
    try (ValueVector decoded = decode(source)) {
      checkPresent(decoded, firstRow);
      copyIds(decoded, firstRow, target);
    }
  }

  private ValueVector decode(FieldVector source) {
    Dictionary dictionary = dictionary(source.getField());
    BaseIntVector places = (BaseIntVector) source;
    int words = dictionary.getVector().getValueCount();
    for (int i = 0; i < source.getValueCount(); i++) {
      long place = places.getValueAsLong(i);
      if (place < 0 || place >= words) {
        throw PecfException.badData(
            "%s: column '%s' has indices that its dictionary lacks. Write the file again.",
            path, Excerpt.of(name(source.getField())));
      }
    }
    return DictionaryEncoder.decode(source, dictionary, source.getAllocator());
  }

  private void copyIds(ValueVector source, long firstRow, FieldVector target) {
    int count = source.getValueCount();
    if (target instanceof BigIntVector numbers) {
      if (!handOver(source, numbers)) {
        Vectors.replace(numbers, longs((BaseIntVector) source, firstRow), count);
      }
      return;
    }
    checkUtf8(source);
    if (handOver(source, target)) {
      return;
    }
    VarCharVector texts = (VarCharVector) target;
    texts.allocateNew(count);
    for (int i = 0; i < count; i++) {
      texts.setSafe(i, ((LargeVarCharVector) source).get(i));
    }
    texts.setValueCount(count);
  }

  /** Move the elements if the types agree; return whether they do. */
  private static boolean handOver(ValueVector source, FieldVector target) {
    if (source.getMinorType() != target.getMinorType()) {
      return false;
    }
    Vectors.move(source, target);
    return true;
  }

  private void checkUtf8(ValueVector source) {
    try {
      if (source instanceof LargeVarCharVector large) {
        large.validateScalars();
      } else {
        ((VarCharVector) source).validateScalars();
      }
    } catch (RuntimeException e) {
      throw PecfException.badData(
              "%s: column '%s' holds text that is not UTF-8. Write the file again, in UTF-8.",
              path, Excerpt.of(name(source.getField())))
          .causedBy(e);
    }
  }

  private long[] longs(BaseIntVector source, long firstRow) {
    long[] values = new long[source.getValueCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = source.getValueAsLong(i);
      if (values[i] < 0 && source instanceof UInt8Vector) {
        throw at(source, firstRow + i, Long.toUnsignedString(values[i]), "is beyond 63 bits");
      }
    }
    return values;
  }

  private void ratings(VectorSchemaRoot root, long firstRow, Float4Vector target) {
    FieldVector source = root.getVector(rating.orElseThrow());
    checkPresent(source, firstRow);
    int count = source.getValueCount();
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      double value =
          source instanceof FloatingPointVector numbers
              ? numbers.getValueAsDouble(i)
              : ((BaseIntVector) source).getValueAsLong(i);
      values[i] = (float) value;
      if (!Float.isFinite(values[i])) {
        throw at(source, firstRow + i, Double.toString(value), "is not a finite 32-bit number");
      }
    }
    if (!handOver(source, target)) {
      Vectors.replace(target, values, count);
    }
  }

  private void times(VectorSchemaRoot root, long firstRow, BigIntVector target) {
    FieldVector source = root.getVector(time.orElseThrow());
    checkPresent(source, firstRow);
    int count = source.getValueCount();
    long[] values;
    if (source instanceof BaseIntVector numbers) {
      values = longs(numbers, firstRow);
      EpochUnit known = unit == null ? EpochUnit.of(values) : unit;
      unit = known;
      if (known == EpochUnit.SECONDS && handOver(source, target)) {
        return;
      }
      Arrays.setAll(values, i -> known.seconds(values[i]));
    } else {
      values = new long[count];
      for (int i = 0; i < count; i++) {
        values[i] = seconds(source, i);
      }
    }
    Vectors.replace(target, values, count);
  }

  private static long seconds(FieldVector source, int index) {
    if (source instanceof DateDayVector days) {
      return SECONDS_PER_DAY * days.get(index);
    }
    if (source instanceof DateMilliVector dates) {
      return Math.floorDiv(dates.get(index), 1000L);
    }
    long value = ((TimeStampVector) source).get(index);
    return switch (((ArrowType.Timestamp) source.getField().getType()).getUnit()) {
      case SECOND -> value;
      case MILLISECOND -> Math.floorDiv(value, 1_000L);
      case MICROSECOND -> Math.floorDiv(value, 1_000_000L);
      case NANOSECOND -> Math.floorDiv(value, 1_000_000_000L);
    };
  }

  private void checkPresent(ValueVector source, long firstRow) {
    if (source.getNullCount() == 0) {
      return;
    }
    int row = 0;
    while (!source.isNull(row)) {
      row++;
    }
    throw at(source, firstRow + row, "null", "is not a value");
  }

  private PecfException at(ValueVector source, long row, String value, String problem) {
    return PecfException.badData(
        "%s: row %s, column '%s': %s %s. Correct this row or leave it out.",
        path, row + 1, Excerpt.of(name(source.getField())), value, problem);
  }
}
