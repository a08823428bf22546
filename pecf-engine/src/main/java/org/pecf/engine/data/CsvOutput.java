package org.pecf.engine.data;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.pecf.api.data.RatingBatch;
import org.pecf.api.data.RatingSchema;

/** A file of ratings as comma-separated values. */
final class CsvOutput implements RatingsWriter.Output {
  private final BufferedWriter writer;

  CsvOutput(WritableByteChannel file, RatingSchema schema) throws IOException {
    writer = new BufferedWriter(Channels.newWriter(file, StandardCharsets.UTF_8));
    writer.write("user,item" + (schema.rated() ? ",rating" : "") + (schema.timed() ? ",time" : ""));
    writer.write('\n');
  }

  @Override
  public void write(RatingBatch batch, int count) throws IOException {
    for (int k = 0; k < count; k++) {
      writeId(batch.users(), k);
      writer.write(',');
      writeId(batch.items(), k);
      if (batch.ratings().isPresent()) {
        writer.write(',');
        writer.write(rating(batch.ratings().get().get(k)));
      }
      if (batch.times().isPresent()) {
        writer.write(',');
        writer.write(Long.toString(batch.times().get().get(k)));
      }
      writer.write('\n');
    }
  }

  private void writeId(FieldVector ids, int index) throws IOException {
    if (ids instanceof BigIntVector numbers) {
      writer.write(Long.toString(numbers.get(index)));
    } else {
      String text = new String(((VarCharVector) ids).get(index), StandardCharsets.UTF_8);
      writer.write(quoted(text));
    }
  }

  /** Quote a text that would not read back unchanged: RFC 4180, empty text, outer spaces. */
  static String quoted(String text) {
    boolean plain = !text.isEmpty() && text.equals(text.strip());
    for (int k = 0; k < text.length() && plain; k++) {
      char letter = text.charAt(k);
      plain = letter != ',' && letter != '"' && letter != '\n' && letter != '\r';
    }
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  /** Return the shortest text that reads back as the same float. */
  static String rating(float rating) {
    return rating == (int) rating ? Integer.toString((int) rating) : Float.toString(rating);
  }

  @Override
  public void finish() throws IOException {
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
