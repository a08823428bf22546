package org.pecf.api.support;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A reader of Arrow IPC files and streams that trusts nothing in them.
 *
 * <p>Arrow's own readers take offsets, lengths and counts as they are, and then address memory by
 * them: a damaged file can end the process. This one checks all of them against the size of the
 * file, of the batch and of each other before Arrow sees the batch, and allocates no more than the
 * file is long. What it does not accept ends in an {@link IOException} with one line that says what
 * is wrong. Compressed batches are not accepted.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class CheckedArrowReader extends ArrowReader {
  private static final byte[] MARK = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final int CONTINUATION = -1;

  /** The mark and two bytes that fill it up. */
  private static final int HEAD_BYTES = 8;

  /** The length of the footer and the mark. */
  private static final int TAIL_BYTES = Integer.BYTES + MARK.length;

  private static final int BLOCK_BYTES = 24;
  private static final int COPY_BYTES = 1 << 24;

  private final FileChannel channel;
  private final boolean footed;
  private final boolean mapping;

  /** The blocks of a file that are still to be read. */
  private final List<Place> places = new ArrayList<>();

  private final Map<Long, Field> dictionaryFields = new HashMap<>();
  private final Set<Long> dictionariesRead = new HashSet<>();
  private List<Field> fields = List.of();
  private int nextPlace;
  private long position;

  /**
   * Create a reader.
   *
   * @param channel a file from its beginning; closed with the reader
   * @param allocator the source of the memory of batches
   */
  public CheckedArrowReader(FileChannel channel, BufferAllocator allocator) throws IOException {
    this(channel, allocator, false);
  }

  private CheckedArrowReader(FileChannel channel, BufferAllocator allocator, boolean mapping)
      throws IOException {
    super(allocator);
    this.channel = channel;
    this.mapping = mapping;
    this.footed =
        channel.size() >= HEAD_BYTES && ByteBuffer.wrap(MARK).equals(heap(channel, 0, MARK.length));
  }

  /**
   * Create a reader whose batches are mapped instead of read, in a time that does not depend on
   * their size. All lengths and counts are checked against the size of the file; what is not looked
   * at is the content of buffers: the offsets of texts and lists but the last, and which values are
   * null. Take the batches by {@link #readBatch()}, check offsets where they are used, and leave
   * the memory to Java code: where the file is cut short later, native code would end the process.
   *
   * @param channel a file from its beginning; closed with the reader, while batches stay
   * @param allocator the account of the memory of batches
   */
  public static CheckedArrowReader mapping(FileChannel channel, BufferAllocator allocator)
      throws IOException {
    return new CheckedArrowReader(channel, allocator, true);
  }

  /**
   * Check that every message of a stream is wholly there, so that reading it never stops half-way.
   *
   * @param channel a stream from its beginning. Not modified.
   * @throws IOException if one is not
   */
  public static void checkComplete(FileChannel channel) throws IOException {
    checked(
        () -> {
          for (Head head = head(channel, 0); head != null; ) {
            head = head(channel, head.bodyEnd(channel.size()));
          }
          return true;
        });
  }

  /** The place of a message in a file, as its footer has it. */
  private record Place(long offset, int metadataBytes, long bodyBytes) {}

  /** A message, and where its body begins. */
  private record Head(Message message, long bodyStart) {
    /** Return where the body ends, which is not behind the given end. */
    long bodyEnd(long end) throws IOException {
      long bytes = message.bodyLength();
      if (bytes < 0 || bytes > end - bodyStart) {
        throw new EOFException("a batch ends beyond the end of the file");
      }
      return bodyStart + bytes;
    }
  }

  /** A message with its body, which is to be closed. */
  private record Received(Message message, ArrowBuf body) {}

  /** A step of reading. */
  @FunctionalInterface
  private interface Step<T> {
    T take() throws IOException;
  }

  @Override
  public VectorSchemaRoot getVectorSchemaRoot() throws IOException {
    return checked(super::getVectorSchemaRoot);
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    return checked(this::loadNext);
  }

  /**
   * Take the next batch as its buffers lie in the file, without vectors around them. Columns with
   * dictionaries are not accepted.
   *
   * @return the batch, owned by the caller; empty at the end
   */
  public Optional<ArrowRecordBatch> readBatch() throws IOException {
    return checked(this::nextBatch);
  }

  private Optional<ArrowRecordBatch> nextBatch() throws IOException {
    ensureInitialized();
    if (!dictionaryFields.isEmpty()) {
      throw new IOException("some of its columns have dictionaries");
    }
    Received next = receive();
    if (next == null) {
      return Optional.empty();
    }
    try (ArrowBuf body = next.body()) {
      if (next.message().headerType() != MessageHeader.RecordBatch) {
        throw new IOException("it holds a message that is not a batch");
      }
      RecordBatch batch = new RecordBatch();
      next.message().header(batch);
      new BatchCheck(batch, body, !mapping).check(fields);
      body.getReferenceManager().retain();
      return Optional.of(MessageSerializer.deserializeRecordBatch(next.message(), body));
    }
  }

  @Override
  public long bytesRead() {
    return position;
  }

  @Override
  protected void closeReadSource() throws IOException {
    channel.close();
  }

  /** Take a step; damaged metadata lead to exceptions of many kinds. */
  private static <T> T checked(Step<T> step) throws IOException {
    try {
      return step.take();
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("its metadata point beyond their end", e);
    } catch (StackOverflowError e) {
      throw new IOException("its metadata are nested without end", e);
    } catch (RuntimeException e) {
      throw new IOException(
          e instanceof NullPointerException || e.getMessage() == null
              ? "its metadata are damaged"
              : e.getMessage().strip().replaceAll("\\s+", " "),
          e);
    }
  }

  @Override
  protected Schema readSchema() throws IOException {
    return checked(footed ? this::schemaOfFooter : this::schemaOfStream);
  }

  private Schema schemaOfFooter() throws IOException {
    long size = channel.size();
    if (size < HEAD_BYTES + TAIL_BYTES) {
      throw new EOFException("it has no footer");
    }
    ByteBuffer tail = heap(channel, size - TAIL_BYTES, TAIL_BYTES);
    int length = tail.getInt();
    if (!tail.equals(ByteBuffer.wrap(MARK))) {
      throw new EOFException("it does not end as an Arrow file does");
    }
    long end = size - TAIL_BYTES;
    if (length < 1 || length > end - HEAD_BYTES) {
      throw new IOException("its footer is longer than the file");
    }
    Footer footer = Footer.getRootAsFooter(heap(channel, end - length, length));
    checkVersion(footer.version());
    addPlaces(footer.dictionariesLength(), footer::dictionaries, length, end - length);
    addPlaces(footer.recordBatchesLength(), footer::recordBatches, length, end - length);
    return schema(footer.schema(), length);
  }

  /** Take blocks that follow each other, so that none is read twice. */
  private void addPlaces(int count, IntFunction<Block> blocks, int footerBytes, long end)
      throws IOException {
    if (count > footerBytes / BLOCK_BYTES) {
      throw new IOException("its footer lists more blocks than it has room for");
    }
    long free = HEAD_BYTES;
    for (int k = 0; k < count; k++) {
      Block block = blocks.apply(k);
      Place place = new Place(block.offset(), block.metaDataLength(), block.bodyLength());
      if (place.offset < free
          || place.offset > end
          || place.metadataBytes < HEAD_BYTES
          || place.metadataBytes > end - place.offset
          || place.bodyBytes < 0
          || place.bodyBytes > end - place.offset - place.metadataBytes) {
        throw new IOException("block " + (k + 1) + " of its footer is not within the file");
      }
      free = place.offset + place.metadataBytes + place.bodyBytes;
      places.add(place);
    }
  }

  private Schema schemaOfStream() throws IOException {
    Head head = head(channel, 0);
    if (head == null || head.message.headerType() != MessageHeader.Schema) {
      throw new IOException("it does not begin with a schema");
    }
    position = head.bodyEnd(channel.size());
    org.apache.arrow.flatbuf.Schema schema = new org.apache.arrow.flatbuf.Schema();
    head.message.header(schema);
    return schema(schema, head.message.getByteBuffer().capacity());
  }

  private Schema schema(org.apache.arrow.flatbuf.Schema encoded, int bytes) throws IOException {
    if (encoded == null) {
      throw new IOException("it has no schema");
    }
    if (encoded.endianness() != Endianness.Little) {
      throw new IOException("it was not written in little-endian order");
    }
    new FieldCount(bytes).check(encoded);
    Schema schema = Schema.convertSchema(encoded);
    fields = schema.getFields();
    for (Field field : fields) {
      addDictionaries(field);
    }
    return schema;
  }

  private void addDictionaries(Field field) throws IOException {
    if (field.getDictionary() != null) {
      Field known = dictionaryFields.putIfAbsent(field.getDictionary().getId(), field);
      if (known != null
          && !(known.getType().equals(field.getType())
              && known.getChildren().equals(field.getChildren()))) {
        throw new IOException("two columns of different types have one dictionary");
      }
    }
    for (Field child : field.getChildren()) {
      addDictionaries(child);
    }
  }

  private boolean loadNext() throws IOException {
    prepareLoadNextBatch();
    for (Received next = receive(); next != null; next = receive()) {
      try (ArrowBuf body = next.body()) {
        switch (next.message().headerType()) {
          case MessageHeader.RecordBatch -> {
            loadRecords(next.message(), body);
            return true;
          }
          case MessageHeader.DictionaryBatch -> loadWords(next.message(), body);
          default -> throw new IOException("it holds a message that is not a batch");
        }
      }
    }
    return false;
  }

  private void loadRecords(Message message, ArrowBuf body) throws IOException {
    RecordBatch batch = new RecordBatch();
    message.header(batch);
    new BatchCheck(batch, body, true).check(fields);
    if (!dictionariesRead.containsAll(dictionaryFields.keySet())) {
      throw new IOException("a batch comes before its dictionaries");
    }
    // Arrow releases the body once its slices are retained.
    body.getReferenceManager().retain();
    loadRecordBatch(MessageSerializer.deserializeRecordBatch(message, body));
  }

  private void loadWords(Message message, ArrowBuf body) throws IOException {
    DictionaryBatch dictionary = new DictionaryBatch();
    message.header(dictionary);
    Field field = dictionaryFields.get(dictionary.id());
    if (field == null || dictionary.data() == null) {
      throw new IOException("it holds a dictionary of no column");
    }
    if (dictionary.isDelta() && !dictionariesRead.contains(dictionary.id())) {
      throw new IOException("it adds to a dictionary that is not there yet");
    }
    new BatchCheck(dictionary.data(), body, true).checkWords(field);
    body.getReferenceManager().retain();
    loadDictionary(MessageSerializer.deserializeDictionaryBatch(message, body));
    dictionariesRead.add(dictionary.id());
  }

  /** Read the next message with its body; null at the end. */
  private @Nullable Received receive() throws IOException {
    Head head = footed ? nextOfFooter() : head(channel, position);
    if (head == null) {
      return null;
    }
    position = head.bodyEnd(channel.size());
    long bytes = position - head.bodyStart;
    if (mapping) {
      Optional<ArrowBuf> mapped = MappedMemory.map(channel, head.bodyStart, bytes, allocator);
      if (mapped.isPresent()) {
        return new Received(head.message, mapped.get());
      }
    }
    return new Received(head.message, read(head.bodyStart, bytes));
  }

  private ArrowBuf read(long start, long bytes) throws IOException {
    ArrowBuf body = allocator.buffer(bytes);
    try {
      for (long done = 0; done < bytes; ) {
        int part = (int) Math.min(COPY_BYTES, bytes - done);
        fill(channel, body.nioBuffer(done, part), start + done);
        done += part;
      }
    } catch (IOException | RuntimeException e) {
      body.close();
      throw e;
    }
    return body;
  }

  private @Nullable Head nextOfFooter() throws IOException {
    if (nextPlace == places.size()) {
      return null;
    }
    Place place = places.get(nextPlace++);
    long bodyStart = place.offset + place.metadataBytes;
    Head head = head(channel, place.offset);
    if (head == null
        || head.bodyStart > bodyStart
        || head.message.bodyLength() != place.bodyBytes) {
      throw new IOException("its footer does not fit its messages");
    }
    return new Head(head.message, bodyStart);
  }

  /** Read the message at a position without its body; null at the end. */
  private static @Nullable Head head(FileChannel channel, long start) throws IOException {
    if (start == channel.size()) {
      return null;
    }
    long place = start + Integer.BYTES;
    int length = heap(channel, start, Integer.BYTES).getInt();
    if (length == CONTINUATION) {
      length = heap(channel, place, Integer.BYTES).getInt();
      place += Integer.BYTES;
    }
    if (length == 0) {
      return null;
    }
    Message message = Message.getRootAsMessage(heap(channel, place, length));
    checkVersion(message.version());
    return new Head(message, place + length);
  }

  private static void checkVersion(short version) throws IOException {
    if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
      throw new IOException("it is written in version " + (version + 1) + " of the format");
    }
  }

  /** Read bytes that must lie within the file. */
  private static ByteBuffer heap(FileChannel channel, long offset, int length) throws IOException {
    if (length < 0 || length > channel.size() - offset) {
      throw new EOFException("a message ends beyond the end of the file");
    }
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    fill(channel, bytes, offset);
    return bytes.flip();
  }

  private static void fill(FileChannel channel, ByteBuffer target, long offset) throws IOException {
    int start = target.position();
    while (target.hasRemaining()) {
      if (channel.read(target, offset + target.position() - start) < 0) {
        throw new EOFException("the file became shorter while it was read");
      }
    }
  }

  /** A walk through a schema that ends, whatever its offsets are. */
  private static final class FieldCount {
    private static final int MOST_LEVELS = 64;

    private int left;

    FieldCount(int bytes) {
      left = bytes / Long.BYTES;
    }

    void check(org.apache.arrow.flatbuf.Schema schema) throws IOException {
      for (int k = 0; k < schema.fieldsLength(); k++) {
        check(schema.fields(k), 1);
      }
    }

    private void check(org.apache.arrow.flatbuf.Field field, int level) throws IOException {
      if (left-- == 0 || level > MOST_LEVELS) {
        throw new IOException("its schema has more fields than it has room for");
      }
      for (int k = 0; k < field.childrenLength(); k++) {
        check(field.children(k), level + 1);
      }
    }
  }
}
