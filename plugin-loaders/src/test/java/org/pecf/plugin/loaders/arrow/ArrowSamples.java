package org.pecf.plugin.loaders.arrow;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;

/** Samples of Arrow IPC, written by Arrow's own writers. */
public final class ArrowSamples {
  private ArrowSamples() {}

  public static byte[] write(
      boolean stream, int batches, List<FieldVector> columns, List<Dictionary> dictionaries) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    MapDictionaryProvider provider = new MapDictionaryProvider();
    dictionaries.forEach(provider::put);
    // The root is not closed: the columns belong to the caller.
    VectorSchemaRoot root = new VectorSchemaRoot(columns);
    root.setRowCount(columns.get(0).getValueCount());
    try (ArrowWriter writer =
        stream
            ? new ArrowStreamWriter(root, provider, Channels.newChannel(bytes))
            : new ArrowFileWriter(root, provider, Channels.newChannel(bytes))) {
      writer.start();
      for (int i = 0; i < batches; i++) {
        writer.writeBatch();
      }
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
