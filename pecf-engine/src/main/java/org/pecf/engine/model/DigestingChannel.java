package org.pecf.engine.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A channel to a new file that computes its size and SHA-256 checksum while it is written. */
final class DigestingChannel implements WritableByteChannel {
  private static final int READ_BYTES = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private final MessageDigest digest = sha256();
  private long bytes;

  private DigestingChannel(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Create a file that does not exist yet. */
  static DigestingChannel create(Path file) throws IOException {
    return new DigestingChannel(
        file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** Return the checksum of bytes. */
  static String checksum(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  /** Return the checksum of a file. */
  static String checksum(Path file) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[READ_BYTES];
    try (InputStream input = Files.newInputStream(file)) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Write bytes to the end. */
  void writeFully(byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      write(buffer);
    }
  }

  /** Force the file to the disk and return its entry in the manifest. Call it last. */
  Manifest.FileEntry finish() throws IOException {
    channel.force(true);
    return new Manifest.FileEntry(
        file.getFileName().toString(), bytes, HexFormat.of().formatHex(digest.digest()));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    ByteBuffer written = source.duplicate();
    int count = channel.write(source);
    digest.update(written.limit(written.position() + count));
    bytes += count;
    return count;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
