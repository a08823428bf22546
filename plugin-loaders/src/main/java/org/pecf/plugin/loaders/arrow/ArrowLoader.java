package org.pecf.plugin.loaders.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.RatingLoader;
import org.pecf.api.data.RatingSink;
import org.pecf.api.data.Recognition;
import org.pecf.api.run.RunContext;
import org.pecf.api.support.CheckedArrowReader;

/** The loader of Arrow IPC files and streams, which passes their memory on where types agree. */
final class ArrowLoader implements RatingLoader {
  private final ArrowLoaderProvider.Options options;

  ArrowLoader(ArrowLoaderProvider.Options options) {
    this.options = options;
  }

  @Override
  public Recognition recognise(DataSource source) {
    Optional<Path> path = source.path().filter(Files::isRegularFile);
    if (path.isEmpty()) {
      return Recognition.NO;
    }
    try (FileChannel channel = FileChannel.open(path.get(), StandardOpenOption.READ)) {
      Optional<Form> form = Form.of(channel);
      if (form.equals(Optional.of(Form.STREAM))) {
        CheckedArrowReader.checkComplete(channel);
      }
      return form.isPresent() ? Recognition.CERTAIN : Recognition.NO;
    } catch (IOException | RuntimeException e) {
      return Recognition.NO;
    }
  }

  @Override
  public void load(DataSource source, RatingSink sink, RunContext context) {
    Path path = source.requiredPath();
    if (!Files.isRegularFile(path)) {
      throw PecfException.badData(
          Files.exists(path)
              ? "%s is a folder, but a file is needed. Name the file in it."
              : "%s: no such file or folder. Check the location of the data.",
          path);
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        ArrowReader reader = open(path, channel, context.allocator())) {
      VectorSchemaRoot root = attempt(path, reader::getVectorSchemaRoot);
      ArrowColumns columns = null;
      long ordinal = 0;
      long row = 0;
      while (attempt(path, reader::loadNextBatch)) {
        context.cancellation().check();
        if (columns == null) {
          // A stream's dictionaries are known only when its first batch is.
          columns = new ArrowColumns(path, options, root.getSchema(), reader);
          columns.note().ifPresent(context.listener()::on);
        }
        int count = root.getRowCount();
        if (count > 0) {
          columns.publish(root, row, sink, ordinal++);
          row += count;
        }
      }
      if (row == 0) {
        throw PecfException.badData("%s holds no ratings. Check that it is the right file.", path);
      }
    } catch (IOException e) {
      throw damaged(path, e);
    }
  }

  private static ArrowReader open(Path path, FileChannel channel, BufferAllocator allocator)
      throws IOException {
    if (channel.size() == 0) {
      throw PecfException.badData("%s is empty. Name a file that holds ratings.", path);
    }
    Form form =
        Form.of(channel)
            .orElseThrow(
                () ->
                    PecfException.badData(
                        "%s is neither an Arrow IPC file nor a stream. Check its format.", path));
    if (form == Form.STREAM) {
      attempt(
          path,
          () -> {
            CheckedArrowReader.checkComplete(channel);
            return true;
          });
    }
    return new CheckedArrowReader(channel, allocator);
  }

  /** Call the Arrow library, which throws exceptions of many kinds for damaged files. */
  private static <T> T attempt(Path path, Reading<T> reading) {
    try {
      return reading.read();
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw damaged(path, e);
    }
  }

  private static PecfException damaged(Path path, Exception cause) {
    return PecfException.badData(
            "%s cannot be read as Arrow IPC (%s). Write it again, without compression.",
            path, cause.getMessage() == null ? "it is damaged" : cause.getMessage())
        .causedBy(cause);
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  /** The two forms of Arrow IPC. */
  private enum Form {
    /** The file form, whose footer holds the positions of the batches. */
    FILE,
    /** The stream form, one message after the other. */
    STREAM;

    private static final byte[] FILE_MARK = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final int CONTINUATION = -1;

    /** Return the form that the first eight bytes show, if they show one. */
    static Optional<Form> of(FileChannel channel) throws IOException {
      ByteBuffer mark = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      while (mark.hasRemaining() && channel.read(mark, mark.position()) >= 0) {}
      if (mark.hasRemaining()) {
        return Optional.empty();
      }
      if (ByteBuffer.wrap(FILE_MARK).equals(mark.flip())) {
        return Optional.of(FILE);
      }
      int length = mark.getInt(4);
      return mark.getInt(0) == CONTINUATION && length > 0 && length <= channel.size() - 8
          ? Optional.of(STREAM)
          : Optional.empty();
    }
  }
}
