package org.pecf.api.data;

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
    assertEquals(OptionalInt.of(2), ColumnRole.RATING.choose("weight", NAMES, "file"));
    assertEquals(OptionalInt.empty(), ColumnRole.RATING.choose("none", NAMES, "file"));
    assertEquals(OptionalInt.of(3), ColumnRole.RATING.choose("", NAMES, "file"));
    assertEquals(OptionalInt.empty(), ColumnRole.TIME.choose("", NAMES, "file"));
  }

  private static String refusal(ColumnRole role, String option, List<String> names) {
    return assertThrows(PecfException.class, () -> role.choose(option, names, "file")).getMessage();
  }

  @Test
  void missingAndRepeatedColumnsAreRefused() {
    assertEquals(
        "file: which column is the item? Did you mean 'itm'? Its columns are: user, itm. Set"
            + " item-column to one of them.",
        refusal(ColumnRole.ITEM, "", List.of("user", "itm")));
    assertEquals(
        "file: no column 'wen'. Did you mean 'when'? Its columns are: user, when. Set time-column"
            + " to another one.",
        refusal(ColumnRole.TIME, "wen", List.of("user", "when")));
    assertEquals(
        "file: more than one column 'a'. Its columns are: a, a. Set user-column to another one.",
        refusal(ColumnRole.USER, "a", List.of("a", "a")));
    assertEquals(
        "file: no column 'none'. Its columns are: user, when. Set user-column to another one.",
        refusal(ColumnRole.USER, "none", List.of("user", "when")));
  }
}
