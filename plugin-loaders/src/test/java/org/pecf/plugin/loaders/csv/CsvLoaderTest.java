package org.pecf.plugin.loaders.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.pecf.plugin.loaders.testing.Loading.assertRefused;
import static org.pecf.plugin.loaders.testing.Loading.gzip;
import static org.pecf.plugin.loaders.testing.Loading.load;
import static org.pecf.plugin.loaders.testing.Loading.positive;
import static org.pecf.plugin.loaders.testing.Loading.rating;
import static org.pecf.plugin.loaders.testing.Loading.write;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.pecf.api.ErrorCode;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.data.Recognition;
import org.pecf.plugin.loaders.text.TextReader;
import org.pecf.testkit.fixture.CollectingSink;
import org.pecf.testkit.fixture.LoadedRating;

class CsvLoaderTest {
  @TempDir Path folder;

  private static CsvLoader loader(String... options) {
    return loader(1 << 20, options);
  }

  private static CsvLoader loader(int chunk, String... options) {
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < options.length; i += 2) {
      texts.put(options[i], options[i + 1]);
    }
    return new CsvLoader(
        new CsvLoaderProvider().options().bind("loader csv", texts), new TextReader(chunk));
  }

  private List<LoadedRating> read(String text, String... options) {
    return load(loader(options), write(folder, "file", text)).ratings();
  }

  @ParameterizedTest
  @ValueSource(strings = {",", "\t", ";", "|", " ", "::"})
  void findsTheDelimiter(String delimiter) {
    String text = "1,2,3.5,100\n4,5,1,200\n".replace(",", delimiter);
    assertEquals(List.of(rating(1, 2, 3.5, 100), rating(4, 5, 1, 200)), read(text));
  }

  @ParameterizedTest
  @CsvSource({"comma,','", "tab,'\t'", "semicolon,;", "pipe,|", "space,' '", "#,#", "\\t,'\t'"})
  void takesTheDelimiterAskedFor(String name, String delimiter) {
    String text = "1,2\n4,5\n".replace(",", delimiter);
    assertEquals(List.of(positive(1, 2), positive(4, 5)), read(text, "delimiter", name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "7", "\"", "é", "-"})
  void refusesImpossibleDelimiters(String delimiter) {
    PecfException problem = assertThrows(PecfException.class, () -> loader("delimiter", delimiter));
    assertEquals(ErrorCode.BAD_OPTION, problem.code());
    assertEquals(
        "loader csv: delimiter cannot be '"
            + delimiter
            + "'. Write auto, double-colon, tab, comma, semicolon, pipe, space, or one or two ASCII"
            + " characters that are not letters, digits, quotes, signs or line ends.",
        problem.getMessage());
  }

  @Test
  void findsColumnsByTheirNames() {
    assertEquals(
        List.of(rating(7, 8, 4, 100)),
        read("timestamp,title,Item ID,rating,user_id\n100,\"A, B\",8,4,7\n"));
  }

  @Test
  void takesColumnsByNameOrPosition() {
    String text = "who,what,note\n7,8,x\n";
    assertEquals(List.of(positive(7, 8)), read(text, "user-column", "who", "item-column", "what"));
    assertEquals(
        List.of(positive(8, 7)),
        read(text, "header", "yes", "user-column", "2", "item-column", "1"));
    assertEquals(
        List.of(LoadedRating.of("who", "what"), LoadedRating.of("7", "8")),
        read(text, "header", "no", "rating-column", "none"));
  }

  @Test
  void refusesAHeaderOfUnknownNames() {
    assertRefused(
        loader(),
        write(folder, "a", "who,what,grade\n1,2,3\n"),
        "PATH:1:1: which column is the user? The header names 'who', 'what', 'grade'. Set"
            + " csv.user-column=who, or another of them, or csv.header=no if this is a line of"
            + " ratings.");
    assertRefused(
        loader(),
        write(folder, "b", "user,rating,Name of it\n1,2,3\n"),
        "PATH:1:1: which column is the item? The header names 'user', 'rating', 'Name of it'. Set"
            + " csv.item-column='Name of it', or another of them, or csv.header=no if this is a"
            + " line of ratings.");
  }

  @Test
  void refusesColumnsThatAreNotThere() {
    Path file = write(folder, "a", "user,item\n1,2\n");
    PecfException name =
        assertThrows(PecfException.class, () -> load(loader("item-column", "itm"), file));
    assertEquals(
        "There is no column 'itm' in "
            + file
            + ". Did you mean 'item'? Its header names 'user', 'item'.",
        name.getMessage());
    assertEquals(ErrorCode.BAD_OPTION, name.code());
    PecfException position =
        assertThrows(PecfException.class, () -> load(loader("item-column", "9"), file));
    assertEquals(
        "Option csv.item-column is 9, but "
            + file
            + " has 2 columns when divided at ','. Set it to a number from 1 to 2.",
        position.getMessage());
    assertRefused(
        loader("user-column", "2"),
        file,
        "PATH: column 2 cannot be both user and item. Set csv.user-column=2 and"
            + " csv.item-column=2, each to its own.");
    assertRefused(
        loader(),
        write(folder, "single", "hello\nworld\n"),
        "PATH:1:1: the line 'hello' has a single column when divided at ','. Set"
            + " csv.delimiter=';' or whatever is between its columns.");
  }

  @Test
  void readsQuotedColumns() {
    assertEquals(
        List.of(LoadedRating.of("Smith, J", "say \"hi\"", 4), LoadedRating.of("x", "y", 5)),
        read("user,item,rating\n\"Smith, J\",\"say \"\"hi\"\"\",\"4\"\nx,y,5\n"));
    assertEquals(
        List.of(LoadedRating.of("\"a\"", "b", 1), LoadedRating.of("c", "\"", 2)),
        read("user\titem\trating\n\"a\"\tb\t1\nc\t\"\t2\n", "quotes", "false"));
  }

  @Test
  void refusesBrokenQuotes() {
    String message =
        "a quote is not closed, or not followed by a delimiter. Double the quotes inside a quoted"
            + " column, or read the file without quotes. Expected user,item,rating; correct this"
            + " line or leave it out.";
    assertRefused(
        loader(), write(folder, "a", "user,item,rating\na,b,1\na,\"b,1\n"), "PATH:3:3: " + message);
    assertRefused(
        loader(),
        write(folder, "b", "user,item,rating\na,b,1\na,\"b\"c,1\n"),
        "PATH:3:5: " + message);
  }

  @Test
  void readsLineBreaksInQuotedColumns() {
    String text = "user,item,text,rating\na,b,\"one\r\n\r\ntwo, \"\"three\"\"\",4\nc,\"d\ne\",,5\n";
    assertEquals(
        List.of(LoadedRating.of("a", "b", 4), LoadedRating.of("c", "d\ne", 5)), read(text));
    assertRefused(
        loader(),
        write(folder, "bad", text + "f,\"g\nh\",x,ö\ni,j,\"x\"\"\ny\",6,\n"),
        "PATH:8:6: rating 'ö' is not a number. Expected user,item,...,rating; correct this line or"
            + " leave it out.");
    assertRefused(
        loader(),
        write(folder, "many", text + "i,ä,\"x\"\"\ny\",6,\n"),
        "PATH:8:6: too many columns: 5 instead of 4 in 'i,ä,\"x\"\"\\ny\",6,'. Expected"
            + " user,item,...,rating; correct this line or leave it out.");
  }

  @Test
  void keepsIntegerIdsOnlyIfAllAreCanonical() {
    String integers = "user,item\n1,2\n-3,9223372036854775807\n";
    assertEquals(List.of(positive(1, 2), positive(-3, Long.MAX_VALUE)), read(integers));
    for (String odd : List.of("007", "9223372036854775808", "+1", "-0", "1.0", "x")) {
      assertEquals(
          List.of(LoadedRating.of(1L, "2"), LoadedRating.of(3L, odd)),
          read("user,item\n1,2\n3," + odd + "\n"),
          odd);
    }
    assertEquals(List.of(LoadedRating.of("1", "2")), read("user,item\n1,2\n", "ids", "text"));
  }

  @Test
  void startsAgainAsTextWhenALateIdIsNoInteger() {
    StringBuilder text = new StringBuilder("user,item,rating\n");
    List<LoadedRating> expected = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      String user = i == 29_000 ? "u29000" : Integer.toString(i);
      String item = i == 25_000 ? "007" : "5";
      text.append(user).append(',').append(item).append(",3\n");
      expected.add(LoadedRating.of(user, item, 3));
    }
    Path file = write(folder, "late", text.toString());
    List<String> events = new ArrayList<>();
    CollectingSink sink = load(loader(1 << 14), file.toString(), 2, events);
    assertEquals(expected, sink.ratings());
    assertEquals(
        new RatingSchema(IdKind.TEXT, IdKind.TEXT, true, false), sink.schema().orElseThrow());
    assertEquals(
        List.of(file + ": user in column 1 (text), item in column 2 (text), rating in column 3"),
        events);
    assertRefused(
        loader("ids", "integer"),
        file,
        "PATH:25002:7: item '007' is not a 64-bit whole number without leading zeros. Expected"
            + " user,item,rating; correct this line or leave it out.");
  }

  private List<String> notes(String text, String... options) {
    List<String> events = new ArrayList<>();
    Path file = write(folder, "notes", text);
    load(loader(options), file.toString(), 1, events);
    return events.stream().map(event -> event.replace(file.toString(), "PATH")).skip(1).toList();
  }

  @Test
  void notesTimesThatAreNotRead() {
    assertEquals(
        List.of(
            "PATH: times such as 'last week' in column 4 are not read, as their format is"
                + " unknown."),
        notes("user,item,rating,date\n1,2,3,last week\n"));
    assertEquals(
        List.of(
            "PATH: column 'seen' looks like times but is not read. Set"
                + " csv.time-column=seen to read it."),
        notes("user,item,rating,seen\n1,2,3,2005-09-06 12:00\n"));
    assertEquals(
        List.of(
            "PATH: column 5 looks like times but is not read. Set csv.time-column=5 to read it."),
        notes("1,2,3,x,1125964800\n1,3,3,y,1125964801\n"));
    assertEquals(
        List.of(
            "PATH: column 'seen' looks like times but is not read. Set"
                + " csv.time-column=seen to read it."),
        notes("user,item,rating,seen\n1,2,3,881250949\n1,4,3,891717742\n"));
    String unread = "user,item,rating,seen\n1,2,3,1125964800123\n";
    assertEquals(List.of(), notes(unread, "time-column", "none"));
    assertEquals(List.of(), notes(unread, "time-column", "seen"));
    assertEquals(List.of(), notes("user,item,rating,price\n1,2,3,11259\n"));
  }

  @Test
  void aHeaderAloneIsExplained() {
    Path file = write(folder, "header", "user_id,item_id,rating\n");
    assertEquals(
        Recognition.BROKEN, loader().recognise(new DataSource(file.toString())), "as this loader");
    assertRefused(
        loader(),
        file,
        "PATH has a header but no ratings. Name a file with lines below its header, or set"
            + " csv.header=no if this is a line of ratings.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Feedback", "weight", "playcount", "score", "play_count"})
  void findsRatingsByTheirUsualNames(String name) {
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3)), read("user,item,note," + name + "\n1,2,x,3\n"));
  }

  @Test
  void namesStrayLinesAtTheTopOfATable() {
    assertRefused(
        loader(),
        write(folder, "stray", "1892\n17632\n1\t51\t13883\n1\t52\t11690\n2\t53\t11351\n"),
        "PATH:1:1: too few columns: 1 instead of 3, as most lines have, in '1892'. Correct this"
            + " line or leave it out.");
  }

  @Test
  void readsTimesInTheirFormats() {
    assertEquals(
        List.of(rating(1, 2, 3, 1125964800L)), read("user,item,rating,date\n1,2,3,2005-09-06\n"));
    assertEquals(
        List.of(rating(1, 2, 3, 1125964800L)),
        read("1,2,3,1125964800999\n", "time-format", "milliseconds"));
    assertEquals(
        List.of(rating(1, 2, 3, 1125964800L)),
        read("user,item,rating,time\n1,2,3,1125964800999\n"));
    assertEquals(List.of(rating(1, 2, 3, 1125964800L)), read("1,2,3,1125964800123456789\n"));
    assertEquals(
        List.of(rating(1, 2, 3, 1125964800L), rating(1, 3, 3, -2)),
        read("1,2,3,1125964800.75\n1,3,3,-1.25\n"));
    for (String time :
        List.of(
            "2005-09-06T00:00:00Z",
            "2005-09-06T00:00:00.999",
            "2005-09-06 00:00:00.999999",
            "2005-09-06 00:00",
            "2005-09-06T02:00:00+02:00",
            "2005-09-06 02:00:00.5 +0200")) {
      assertEquals(
          List.of(rating(1, 2, 3, 1125964800L)),
          read("user,item,rating,datetime\n1,2,3," + time + "\n"),
          time);
    }
    assertEquals(
        List.of(LoadedRating.of(1L, 2L, 3)), read("user,item,rating,date\n1,2,3,last week\n"));
    assertRefused(
        loader("time-column", "date"),
        write(folder, "t", "user,item,rating,date\n1,2,3,last week\n"),
        "PATH:2:7: time 'last week' is not a number of seconds since 1970. Expected"
            + " user,item,rating,time; correct this line or leave it out.");
  }

  @Test
  void readsTextIdsInUtf8AndRefusesOtherBytes() {
    assertEquals(
        List.of(LoadedRating.of("Müller", "東京", 1), LoadedRating.of("😀", "b", 2)),
        read("\ufeffuser,item,rating\r\nMüller,東京,1\r\n😀,b,2"));
    assertRefused(
        loader(),
        write(
            folder,
            "latin",
            "user,item,rating\né,x,1\na,Müller,2\n".getBytes(StandardCharsets.ISO_8859_1)),
        "PATH:2:1: user '\\xe9' is not UTF-8. Convert the file to UTF-8. Expected"
            + " user,item,rating; correct this line or leave it out.");
    assertRefused(
        loader(),
        write(folder, "nul", "user,item,rating\nünï,a\0b,1\n"),
        "PATH:2:6: there is a NUL byte, so this is no text. Name a file of ratings in UTF-8 or"
            + " UTF-16.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "x-UTF-16LE-BOM"})
  void readsUtf16AsItIsWrittenOnWindows(String charset) {
    StringBuilder text = new StringBuilder("user,item,rating\r\n");
    List<LoadedRating> expected = new ArrayList<>();
    for (int k = 0; k < 5000; k++) {
      text.append("Müller ").append(k).append(",😀東").append(k % 7).append(",1.5\r\n");
      expected.add(LoadedRating.of("Müller " + k, "😀東" + k % 7, 1.5f));
    }
    byte[] bytes = text.toString().getBytes(Charset.forName(charset));
    Path file = write(folder, "utf16", bytes);
    assertEquals(Recognition.POSSIBLE, loader().recognise(new DataSource(file.toString())));
    assertEquals(expected, load(loader(), file).ratings());
    assertEquals(expected, load(loader(), write(folder, "packed", gzip(bytes))).ratings());
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
    assertRefused(
        loader(),
        write(folder, "cut", cut),
        "PATH begins as text in UTF-16, but is not such text to its end. Convert the file to"
            + " UTF-8.");
  }

  @Test
  void namesDecimalCommas() {
    for (String text :
        List.of("user;item;rating\nanna;b;4,5\ncarl;d;3,0\n", "1;2;4,5\n1;3;3,5\n")) {
      Path file = write(folder, "comma", text);
      assertEquals(Recognition.BROKEN, loader().recognise(new DataSource(file.toString())), text);
      String message = assertThrows(PecfException.class, () -> load(loader(), file)).getMessage();
      assertTrue(
          message.contains("rating '4,5' has a decimal comma. Write points, such as 4.5. Expected"),
          message);
    }
  }

  @Test
  void tellsJsonApart() {
    Path lines =
        write(
            folder,
            "lines",
            "{\"user_id\": \"a\", \"text\": \"x\", \"product_id\": 2, \"stars\": 4}\n"
                + "{\"user_id\": \"b\", \"text\": \"y\", \"product_id\": 3, \"stars\": 5}\n");
    assertEquals(Recognition.BROKEN, loader().recognise(new DataSource(lines.toString())));
    assertRefused(
        loader(),
        lines,
        "PATH holds JSON, not delimited text. Convert it: jq -r '[.user_id, .product_id, .stars] |"
            + " @csv' PATH > ratings.csv.");
    Path array = write(folder, "array", "[\n  {\n    \"user\": 1,\n    \"item\": 2\n  }\n]\n");
    assertEquals(Recognition.BROKEN, loader().recognise(new DataSource(array.toString())));
    assertRefused(
        loader(),
        array,
        "PATH holds JSON, not delimited text. Convert it: jq -r '.[] | [.user, .item] | @csv' PATH"
            + " > ratings.csv.");
  }

  @Test
  void refusesLinesOfOtherLengths() {
    assertRefused(
        loader(),
        write(folder, "few", "user,item,rating\n1,2,3\n1,2\n"),
        "PATH:3:4: too few columns: 2 instead of 3 in '1,2'. Expected user,item,rating; correct"
            + " this line or leave it out.");
  }

  @Test
  void refusesAFolderAndALineWithoutEnd() {
    assertRefused(loader(), folder, "PATH is a folder, but a file is needed. Name the file in it.");
    assertRefused(
        loader("header", "no", "delimiter", "comma"),
        write(folder, "long", "1,2,3\n" + "x".repeat(40 << 20)),
        "PATH:2:1: a line is longer than 16 MiB. Name a text file of ratings whose lines end in"
            + " line feeds.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namesTheFirstBadLineWhateverTheChunksAndThreads(boolean packs) {
    StringBuilder text = new StringBuilder("\ufeffuser,item,rating\r\n\r\n");
    for (int line = 3; line < 400; line++) {
      text.append(line).append(line % 40 == 30 ? ",5,ü,\n" : line % 7 == 0 ? ",5,3\r\n" : ",5,3\n");
    }
    Path file =
        packs
            ? write(folder, "packed", gzip(text.toString()))
            : write(folder, "plain", text.toString());
    for (int chunk : new int[] {1, 50, 700, 1 << 20}) {
      for (int threads = 1; threads <= 4; threads++) {
        int number = threads;
        PecfException problem =
            assertThrows(PecfException.class, () -> load(loader(chunk), file.toString(), number));
        assertEquals(
            file
                + ":30:8: too many columns: 4 instead of 3 in '30,5,ü,'. Expected"
                + " user,item,rating; correct this line or leave it out.",
            problem.getMessage());
      }
    }
  }

  @Test
  void loadsWhatWasWrittenWhateverTheChunksAndThreads() {
    Random random = new Random(17);
    List<LoadedRating> expected = new ArrayList<>();
    StringBuilder text = new StringBuilder("item;user;rating;time\n");
    for (int i = 0; i < 400; i++) {
      String user =
          random
              .ints(1 + random.nextInt(12), 'a', 'z')
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      String item = (random.nextBoolean() ? "\"" : "ö;") + random.nextInt(100);
      float rating = random.nextFloat();
      long time = random.nextInt();
      expected.add(LoadedRating.of(user, item, rating, time));
      text.append('"').append(item.replace("\"", "\"\"")).append("\";").append(user).append(';');
      text.append(rating).append(';').append(time).append(random.nextBoolean() ? "\r\n" : "\n");
    }
    Path plain = write(folder, "plain", text.toString());
    Path packed = write(folder, "packed", gzip(text.toString()));
    for (int chunk : new int[] {1, 50, 3000, 1 << 20}) {
      for (int threads = 1; threads <= 2; threads++) {
        assertEquals(expected, load(loader(chunk), plain.toString(), threads).ratings());
        assertEquals(expected, load(loader(chunk), packed.toString(), threads).ratings());
      }
    }
  }
}
