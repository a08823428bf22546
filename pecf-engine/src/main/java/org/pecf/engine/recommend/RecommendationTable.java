package org.pecf.engine.recommend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.pecf.api.PecfException;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.TableWriter;
import org.pecf.api.run.RunContext;
import org.pecf.engine.file.OutputFile;

/**
 * Lists of items as an Arrow table of the columns user, place, item, title (if titles are known),
 * score and source (if it may differ), with one row per item listed; other names stand for lists of
 * similar items. Lists are taken from their source when a batch is asked for, so the table of any
 * number of users takes the memory of one batch.
 */
public final class RecommendationTable extends ArrowReader {
  /** The number of rows after which no list is added to a batch. */
  private static final int BATCH_ROWS = 1 << 15;

  /**
   * The columns of a table.
   *
   * @param subject the name of the column of those whom lists are for
   * @param subjects the kind of their ids
   * @param listed the name of the column of items in lists
   * @param items the kind of item ids
   * @param score the name of the column of scores
   * @param titles the title of an item by its id, empty text for none; if present, a column shows
   *     them
   * @param sources whether a column shows the sources of lists
   */
  public record Columns(
      String subject,
      IdKind subjects,
      String listed,
      IdKind items,
      String score,
      Optional<Function<String, String>> titles,
      boolean sources) {
    /** Return the names of the columns, in their order. */
    public List<String> names() {
      List<String> names = new ArrayList<>(List.of(subject, "place", listed));
      titles.ifPresent(known -> names.add("title"));
      names.add(score);
      if (sources) {
        names.add("source");
      }
      return names;
    }

    /**
     * Return the row of an item, in the order of the columns: texts, its place and its score.
     *
     * @param list the list that the item is in
     * @param place its place in the list, from 1
     * @param item the item
     */
    public List<Object> row(UserRecommendations list, int place, Recommendation item) {
      List<Object> row = new ArrayList<>(6);
      row.add(list.user());
      row.add(place);
      row.add(item.item());
      titles.ifPresent(known -> row.add(known.apply(item.item())));
      row.add(item.score());
      if (sources) {
        row.add(list.source().text());
      }
      return row;
    }
  }

  private final Iterator<UserRecommendations> lists;
  private final Columns columns;
  private Optional<RuntimeException> problem = Optional.empty();

  /**
   * Create a table.
   *
   * @param lists the lists, read once
   * @param columns the columns
   * @param allocator the source of the table's memory
   */
  public RecommendationTable(
      Iterator<UserRecommendations> lists, Columns columns, BufferAllocator allocator) {
    super(allocator);
    this.lists = lists;
    this.columns = columns;
  }

  @Override
  protected Schema readSchema() {
    List<Field> fields = new ArrayList<>();
    for (String name : columns.names()) {
      fields.add(
          field(
              name,
              switch (name) {
                case "place" -> new ArrowType.Int(32, true);
                case "title", "source" -> new ArrowType.Utf8();
                default ->
                    name.equals(columns.score())
                        ? new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)
                        : idType(
                            name.equals(columns.subject()) ? columns.subjects() : columns.items());
              }));
    }
    return new Schema(fields);
  }

  private static Field field(String name, ArrowType type) {
    return new Field(name, FieldType.notNullable(type), List.of());
  }

  private static ArrowType idType(IdKind kind) {
    return kind == IdKind.INTEGER ? new ArrowType.Int(64, true) : new ArrowType.Utf8();
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    VectorSchemaRoot root = getVectorSchemaRoot();
    root.clear();
    int rows = 0;
    try {
      while (rows < BATCH_ROWS && lists.hasNext()) {
        rows = add(root, lists.next(), rows);
      }
    } catch (RuntimeException e) {
      problem = Optional.of(e);
      throw e;
    }
    root.setRowCount(rows);
    return rows > 0;
  }

  private int add(VectorSchemaRoot root, UserRecommendations list, int first) {
    int row = first;
    for (Recommendation item : list.items()) {
      List<Object> values = columns.row(list, row - first + 1, item);
      for (int k = 0; k < values.size(); k++) {
        set(root.getVector(k), row, values.get(k));
      }
      row++;
    }
    return row;
  }

  private static void set(FieldVector column, int row, Object value) {
    if (column instanceof IntVector places) {
      places.setSafe(row, (Integer) value);
    } else if (column instanceof Float4Vector scores) {
      scores.setSafe(row, (Float) value);
    } else if (column instanceof BigIntVector numbers) {
      numbers.setSafe(row, Long.parseLong((String) value));
    } else {
      ((VarCharVector) column).setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Write the table to a file, which appears under its name when it is complete. While it is
   * written, lists are made.
   *
   * @param place the place of the file
   * @param writer the writer of its format; if there is none, that of Arrow IPC, also called
   *     Feather
   * @param context the resources of the run
   * @throws PecfException if that fails; if it was because lists could not be made, the reason of
   *     that
   */
  public void writeTo(Path place, Optional<TableWriter> writer, RunContext context) {
    OutputFile file = OutputFile.at(place);
    try (OutputFile.Draft draft = file.begin()) {
      if (writer.isPresent()) {
        try {
          writer.get().write(this, draft.path(), context);
        } catch (RuntimeException e) {
          // The writer may have wrapped what ended the lists.
          throw problem.orElse(e);
        }
        draft.complete();
      } else {
        try (ArrowFileWriter arrow =
            new ArrowFileWriter(getVectorSchemaRoot(), null, draft.channel())) {
          arrow.start();
          while (loadNextBatch()) {
            arrow.writeBatch();
          }
          arrow.end();
          // Closing the writer closes the channel.
          draft.complete();
        }
      }
    } catch (IOException e) {
      throw file.failed(e);
    }
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {
    // Lists that nobody asked for were never made.
  }
}
