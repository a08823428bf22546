package org.pecf.api.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;

class ColumnRoleTest {
  private static final List<String> NAMES =
      List.of("User Name", "user_id", "weight", "Rating", "movieID", "when");

  @Test
  void mostUsualNameIsFound() {
    assertEquals(OptionalInt.of(1), ColumnRole.USER.find(NAMES));
    assertEquals(OptionalInt.of(4), ColumnRole.ITEM.find(NAMES));
    assertEquals(OptionalInt.of(3), ColumnRole.RATING.find(NAMES));
    assertEquals(OptionalInt.empty(), ColumnRole.TIME.find(NAMES));
    assertEquals(OptionalInt.of(0), ColumnRole.RATING.find(List.of("Feedback")));
  }

  @Test
  void optionsAreFollowed() {
    assertEquals(OptionalInt.of(2), ColumnRole.RATING.choose("weight", NAMES, "csv", "file"));
    assertEquals(OptionalInt.empty(), ColumnRole.RATING.choose("none", NAMES, "csv", "file"));
    assertEquals(OptionalInt.of(3), ColumnRole.RATING.choose("", NAMES, "csv", "file"));
    assertEquals(OptionalInt.empty(), ColumnRole.TIME.choose("", NAMES, "csv", "file"));
  }

  private static String refusal(ColumnRole role, String option, List<String> names) {
    return assertThrows(PecfException.class, () -> role.choose(option, names, "csv", "file"))
        .getMessage();
  }

  @Test
  void missingAndRepeatedColumnsAreRefused() {
    assertEquals(
        "file: which column is the item? Did you mean 'itm'? Its columns are: user, itm. Set"
            + " csv.item-column=itm, or another of them.",
        refusal(ColumnRole.ITEM, "", List.of("user", "itm")));
    assertEquals(
        "file: no column 'wen'. Did you mean 'when'? Its columns are: user, when. Set"
            + " csv.time-column=when, or another of them.",
        refusal(ColumnRole.TIME, "wen", List.of("user", "when")));
    assertEquals(
        "file: more than one column 'a'. Its columns are: a, a. Give each a name of its own.",
        refusal(ColumnRole.USER, "a", List.of("a", "a")));
    assertEquals(
        "file: no column 'none'. Its columns are: user, when. Set csv.user-column=user, or another"
            + " of them.",
        refusal(ColumnRole.USER, "none", List.of("user", "when")));
    assertEquals(
        "file: which column is the user? Its columns are: Leser der Bibliothek, b. Set"
            + " csv.user-column='Leser der Bibliothek', or another of them.",
        refusal(ColumnRole.USER, "", List.of("Leser der Bibliothek", "b")));
  }
}
