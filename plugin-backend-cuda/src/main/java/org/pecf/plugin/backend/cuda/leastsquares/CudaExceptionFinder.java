package org.pecf.plugin.backend.cuda.leastsquares;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.pecf.api.compute.LeastSquaresRequest;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.field.CellField;
import org.pecf.api.field.ItemWeights;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.SparseCells;
import org.pecf.backend.field.Window;
import org.pecf.backend.leastsquares.Background;
import org.pecf.plugin.backend.cuda.device.Device;
import org.pecf.plugin.backend.cuda.device.DeviceMemory;
import org.pecf.plugin.backend.cuda.device.DeviceSlice;
import org.pecf.plugin.backend.cuda.device.DeviceStream;
import org.pecf.plugin.backend.cuda.device.LaunchGrid;
import org.pecf.plugin.backend.cuda.device.Scratch;
import org.pecf.plugin.backend.cuda.field.CellList;
import org.pecf.plugin.backend.cuda.field.CudaFieldProgram;
import org.pecf.plugin.backend.cuda.field.DeviceCopies;
import org.pecf.plugin.backend.cuda.field.FieldEvaluator;

/**
 * A search for the exceptions to a background: their cells are listed by user, weights and targets
 * are evaluated at them alone, and then they are put in order by item.
 *
 * <p>If weights do not depend on scores, the cells are those of the sets that the weights refer to.
 * Otherwise they are found by {@link ScannedCells}.
 */
final class CudaExceptionFinder {
  /** The listed cells that are evaluated at once, unless a row has more. */
  private static final int LISTED = 1 << 20;

  /** The memory of the counts by which exceptions are put in order. */
  private static final long COUNTED_BYTES = 64L << 20;

  /** The most groups of users whose exceptions are counted on their own. */
  private static final int MOST_GROUPS = 1024;

  private final SessionContext context;
  private final Device device;
  private final LeastSquaresRequest request;
  private final Background background;
  private final GridShape shape;
  private final long most;
  private final boolean plainScores;
  private final CudaFieldProgram program;

  CudaExceptionFinder(
      SessionContext context,
      Device device,
      LeastSquaresRequest request,
      Background background,
      long most) {
    this.context = context;
    this.device = device;
    this.request = request;
    this.background = background;
    this.shape = context.shape();
    this.most = most;
    Optional<ScaledItems> scaled = background.items().map(ScaledItems::new);
    CellField weights = request.weights();
    CellField targets = request.targets();
    List<CellField> fields =
        List.of(
            scaled.map(items -> items.weights(weights)).orElse(weights),
            scaled.map(items -> items.targets(targets)).orElse(targets),
            background.targets());
    this.plainScores = !CudaFieldProgram.of(List.of(background.targets())).slots().isEmpty();
    this.program = CudaFieldProgram.of(plainScores ? fields : fields.subList(0, 2));
  }

  /** A source of the cells of exceptions. */
  interface Cells {
    /** Return the start of each user's cells and the end of the last user's, if not too many. */
    Optional<long[]> starts();

    /**
     * List the items of consecutive users' cells, ascending.
     *
     * @param items receives them from the start of the first user on. Modified.
     */
    void list(int firstUser, int users, long[] starts, CudaCorrections.SideExceptions items);
  }

  /** Find the exceptions in tiles as large as memory allows. */
  Optional<CudaCorrections> find() {
    CudaFieldProgram scanned = CudaFieldProgram.of(List.of(request.weights()));
    boolean scan =
        !background.everything()
            && !scanned.slots().isEmpty()
            && background.scoreBound() < Float.POSITIVE_INFINITY;
    return device.inTiles(
        "exceptions among " + shape.users() + " x " + shape.items() + " cells",
        device.tiles().fieldRows(shape.users(), shape.items()),
        1,
        (long) groups() * shape.items() * Integer.BYTES,
        rowBytes() + (scan ? ScannedCells.rowBytes(scanned, shape) : 0),
        rows ->
            device.inScratch(
                working ->
                    find(
                        working,
                        scan
                            ? new ScannedCells(
                                context, device, working, background, scanned, rows, most)
                            : new ListedCells(),
                        listed(rows))));
  }

  /** Return the cells that are evaluated at once, next to tiles of a number of rows. */
  private int listed(int rows) {
    return (int) Math.min(LISTED, (long) rows * shape.items());
  }

  private long rowBytes() {
    return program.bytes(new Window(0, 1, 0, shape.items())) + (long) shape.items() * Integer.BYTES;
  }

  private Optional<CudaCorrections> find(Scratch working, Cells cells, int listed) {
    Optional<long[]> starts = cells.starts();
    if (starts.isEmpty()) {
      return Optional.empty();
    }
    Scratch kept = new Scratch();
    try {
      CudaCorrections corrections = write(kept, working, cells, starts.get(), listed);
      device.stream(0).await();
      return Optional.of(corrections);
    } catch (RuntimeException | Error e) {
      device.settle();
      kept.close();
      throw e;
    }
  }

  /** The union of sets of cells, or all cells: made on the host. */
  private final class ListedCells implements Cells {
    private final List<SparseCells> sets = List.copyOf(background.observed());

    @Override
    public Optional<long[]> starts() {
      long[] starts = new long[shape.users() + 1];
      context
          .run()
          .parallelism()
          .forEach(shape.users(), (user, worker) -> starts[user + 1] = count(user));
      for (int user = 0; user < shape.users(); user++) {
        starts[user + 1] += starts[user];
      }
      return starts[shape.users()] > most ? Optional.empty() : Optional.of(starts);
    }

    @Override
    public void list(int firstUser, int users, long[] starts, CudaCorrections.SideExceptions side) {
      long from = starts[firstUser];
      int[] items = new int[Math.toIntExact(starts[firstUser + users] - from)];
      context
          .run()
          .parallelism()
          .forEach(
              users,
              (user, worker) -> {
                int[] own = items(firstUser + user);
                int at = (int) (starts[firstUser + user] - from);
                System.arraycopy(own, 0, items, at, own.length);
              });
      device.stream(0).upload(side.others(), from * Integer.BYTES, items);
    }

    private int count(int user) {
      return !background.everything() && sets.size() == 1
          ? sets.get(0).userCount(user)
          : items(user).length;
    }

    /** Return the items of a user's exceptions, ascending. */
    private int[] items(int user) {
      if (background.everything()) {
        int[] all = new int[shape.items()];
        Arrays.setAll(all, item -> item);
        return all;
      }
      int[] found = new int[sets.stream().mapToInt(set -> set.userCount(user)).sum()];
      int count = 0;
      for (SparseCells set : sets) {
        for (int p = set.userStart(user); p < set.userStart(user + 1); p++) {
          found[count++] = set.itemAt(p);
        }
      }
      return sets.size() == 1 ? found : Arrays.stream(found).sorted().distinct().toArray();
    }
  }

  private CudaCorrections write(
      Scratch kept, Scratch working, Cells cells, long[] starts, int listed) {
    DeviceStream stream = device.stream(0);
    int part = device.tiles().part();
    CudaCorrections.SideExceptions byUser =
        CudaCorrections.SideExceptions.allocate(kept, stream, starts, part);
    double squares = evaluate(working, cells, starts, byUser, listed);
    CudaCorrections.SideExceptions byItem = transpose(kept, working, byUser, part);
    return new CudaCorrections(
        kept,
        byUser,
        byItem,
        starts[shape.users()],
        squares,
        background.items().isPresent() && request.ridge().exponent() != 0
            ? sums(byUser, starts, background.items().get())
            : sums(working, byUser, shape.users()),
        sums(working, byItem, shape.items()));
  }

  /** Write the exceptions of all users, and return the sum of their squares. */
  private double evaluate(
      Scratch working,
      Cells cells,
      long[] starts,
      CudaCorrections.SideExceptions byUser,
      int listed) {
    DeviceStream stream = device.stream(0);
    DeviceCopies copies = new DeviceCopies(device, working);
    FieldEvaluator evaluator = new FieldEvaluator(context, stream, working, copies, program);
    int longest = 1;
    for (int user = 0; user < shape.users(); user++) {
      longest = Math.max(longest, (int) (starts[user + 1] - starts[user]));
    }
    int room = Math.max(longest, (int) Math.min(listed, starts[shape.users()]));
    FieldEvaluator.Buffers buffers = evaluator.buffers(working, new Window(0, 1, 0, room));
    DeviceMemory users = working.ints(room);
    DeviceMemory rowSquares = working.doubles(shape.users());
    for (int first = 0; first < shape.users(); ) {
      context.run().cancellation().check();
      int end = end(first, starts, room);
      int count = (int) (starts[end] - starts[first]);
      cells.list(first, end - first, starts, byUser);
      DeviceSlice rowStarts = byUser.start(first);
      stream.launch(
          "list_rows",
          LaunchGrid.elements(32L * (end - first)),
          0,
          rowStarts,
          first,
          end - first,
          users);
      if (count > 0) {
        evaluator.evaluate(stream, buffers, cells(stream, first, end, starts, users, byUser));
      }
      stream.launch(
          "write_exceptions",
          LaunchGrid.elements(32L * (end - first)),
          0,
          rowStarts,
          background.weight(),
          buffers.output(0, count),
          buffers.output(1, count),
          plainScores ? buffers.output(2, count) : DeviceSlice.NONE,
          (float) (plainScores ? 0 : background.constantTarget()),
          end - first,
          byUser.excess(),
          byUser.pull(),
          rowSquares.from((long) first * Double.BYTES));
      first = end;
    }
    double[] found = new double[shape.users()];
    stream.download(rowSquares, found);
    double squares = 0;
    for (double square : found) {
      squares += square;
    }
    return squares;
  }

  /** Return the cells of some users as a list; on the host, too, if fields are computed there. */
  private CellList cells(
      DeviceStream stream,
      int first,
      int end,
      long[] starts,
      DeviceMemory users,
      CudaCorrections.SideExceptions byUser) {
    int count = (int) (starts[end] - starts[first]);
    long offset = starts[first] * Integer.BYTES;
    int[] hostUsers = {};
    int[] hostItems = {};
    if (!program.hostFields().isEmpty()) {
      hostUsers = new int[count];
      hostItems = new int[count];
      stream.download(users, 0, hostUsers, count);
      stream.download(byUser.others(), offset, hostItems, count);
    }
    return new CellList(
        count,
        hostUsers,
        hostItems,
        users.slice(),
        byUser.others().slice(offset, (long) count * Integer.BYTES));
  }

  /**
   * Put exceptions in order by item. Groups of users are counted on their own, and each knows from
   * the counts of those before it where its exceptions go: so the order is always the same.
   */
  private CudaCorrections.SideExceptions transpose(
      Scratch kept, Scratch working, CudaCorrections.SideExceptions byUser, int part) {
    DeviceStream stream = device.stream(0);
    int height = (shape.users() + groups() - 1) / groups();
    int groups = (shape.users() + height - 1) / height;
    LaunchGrid grid = new LaunchGrid(groups, 1, LaunchGrid.THREADS, 1);
    DeviceMemory counts = working.ints((long) groups * shape.items());
    DeviceMemory totals = working.ints(shape.items());
    stream.clear(counts, (long) groups * shape.items());
    stream.launch(
        "count_groups",
        grid,
        0,
        byUser.starts(),
        byUser.others(),
        shape.users(),
        height,
        shape.items(),
        counts);
    stream.launch(
        "add_groups", LaunchGrid.elements(shape.items()), 0, counts, groups, shape.items(), totals);
    int[] found = new int[shape.items()];
    stream.download(totals, 0, found, found.length);
    long[] starts = new long[shape.items() + 1];
    for (int item = 0; item < found.length; item++) {
      starts[item + 1] = starts[item] + found[item];
    }
    CudaCorrections.SideExceptions byItem =
        CudaCorrections.SideExceptions.allocate(kept, stream, starts, part);
    stream.launch(
        "transpose_rows",
        grid,
        0,
        byUser.starts(),
        byUser.others(),
        byUser.excess(),
        byUser.pull(),
        shape.users(),
        height,
        shape.items(),
        byItem.starts(),
        counts,
        byItem.others(),
        byItem.excess(),
        byItem.pull());
    return byItem;
  }

  /** Return the groups of users whose counts take little memory. */
  private int groups() {
    long affordable = COUNTED_BYTES / ((long) shape.items() * Integer.BYTES);
    return (int) Math.max(1, Math.min(Math.min(MOST_GROUPS, shape.users()), affordable));
  }

  /** Return the sum of the excess weights of each row. */
  private double[] sums(Scratch working, CudaCorrections.SideExceptions side, int rows) {
    DeviceStream stream = device.stream(0);
    DeviceMemory sums = working.doubles(rows);
    stream.launch(
        "sum_segments",
        LaunchGrid.elements(32L * rows),
        0,
        side.starts(),
        side.excess(),
        rows,
        sums);
    double[] found = new double[rows];
    stream.download(sums, found);
    return found;
  }

  /** Return the sum of each user's excess weights times the factors of their items. */
  private double[] sums(CudaCorrections.SideExceptions side, long[] starts, ItemWeights factors) {
    DeviceStream stream = device.stream(0);
    double[] sums = new double[shape.users()];
    for (int first = 0; first < sums.length; ) {
      int end = end(first, starts, LISTED);
      int count = (int) (starts[end] - starts[first]);
      int[] items = new int[count];
      float[] excess = new float[count];
      stream.download(side.others(), starts[first] * Integer.BYTES, items, count);
      stream.download(side.excess(), starts[first] * Float.BYTES, excess, count);
      for (int user = first; user < end; user++) {
        for (long p = starts[user] - starts[first]; p < starts[user + 1] - starts[first]; p++) {
          sums[user] += factors.of(items[(int) p]) * (double) excess[(int) p];
        }
      }
      first = end;
    }
    return sums;
  }

  /** Return the end of the users from one on who have few cells together, at least of the first. */
  private int end(int first, long[] starts, int most) {
    int end = first + 1;
    while (end < shape.users() && starts[end + 1] - starts[first] <= most) {
      end++;
    }
    return end;
  }
}
