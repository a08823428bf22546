package org.pecf.engine.recommend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.pecf.api.data.IdKind;

/**
 * Recommendations as an Arrow table of the columns user, place, item, title (if titles are known)
 * and score, with one row per item recommended. Lists are taken from their source when a batch is
 * asked for, so the table of any number of users takes the memory of one batch.
 */
public final class RecommendationTable extends ArrowReader {
  /** The number of rows after which no list is added to a batch. */
  private static final int BATCH_ROWS = 1 << 15;

  private final Iterator<UserRecommendations> lists;
  private final IdKind users;
  private final IdKind items;
  private final Optional<Function<String, String>> titles;
  private Optional<RuntimeException> problem = Optional.empty();

  /**
   * Create a table.
   *
   * @param lists the lists, read once
   * @param users the kind of user ids
   * @param items the kind of item ids
   * @param titles the title of an item by its id, empty text for none; if present, a column shows
   *     them
   * @param allocator the source of the table's memory
   */
  public RecommendationTable(
      Iterator<UserRecommendations> lists,
      IdKind users,
      IdKind items,
      Optional<Function<String, String>> titles,
      BufferAllocator allocator) {
    super(allocator);
    this.lists = lists;
    this.users = users;
    this.items = items;
    this.titles = titles;
  }

  @Override
  protected Schema readSchema() {
    List<Field> fields = new ArrayList<>();
    fields.add(field("user", idType(users)));
    fields.add(field("place", new ArrowType.Int(32, true)));
    fields.add(field("item", idType(items)));
    titles.ifPresent(known -> fields.add(field("title", new ArrowType.Utf8())));
    fields.add(field("score", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)));
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

  /** Return the problem that ended the source of the lists, which a reader may have wrapped. */
  public Optional<RuntimeException> problem() {
    return problem;
  }

  private int add(VectorSchemaRoot root, UserRecommendations list, int first) {
    FieldVector user = root.getVector("user");
    IntVector place = (IntVector) root.getVector("place");
    FieldVector item = root.getVector("item");
    Float4Vector score = (Float4Vector) root.getVector("score");
    int row = first;
    for (Recommendation recommended : list.items()) {
      set(user, row, list.user());
      place.setSafe(row, row - first + 1);
      set(item, row, recommended.item());
      if (titles.isPresent()) {
        set(root.getVector("title"), row, titles.get().apply(recommended.item()));
      }
      score.setSafe(row, recommended.score());
      row++;
    }
    return row;
  }

  private static void set(FieldVector column, int row, String text) {
    if (column instanceof BigIntVector numbers) {
      numbers.setSafe(row, Long.parseLong(text));
    } else {
      ((VarCharVector) column).setSafe(row, text.getBytes(StandardCharsets.UTF_8));
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
