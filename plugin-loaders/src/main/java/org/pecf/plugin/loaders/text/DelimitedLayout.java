package org.pecf.plugin.loaders.text;

import java.util.List;
import org.pecf.api.data.IdKind;
import org.pecf.api.data.RatingSchema;
import org.pecf.api.support.ColumnRole;

/**
 * The division of the lines of a text file into columns, and the role of each column.
 *
 * @param delimiter one or two ASCII characters
 * @param quotes whether a column may be put in double quotes
 * @param roles the role of each column; every line has this many columns
 * @param users the kind of user ids
 * @param items the kind of item ids
 * @param time the format of times
 * @param expected the form of a line, for messages
 */
public record DelimitedLayout(
    String delimiter,
    boolean quotes,
    List<ColumnRole> roles,
    IdKind users,
    IdKind items,
    TimeFormat time,
    String expected) {
  public DelimitedLayout {
    roles = List.copyOf(roles);
  }

  /** Return the schema of the ratings. */
  public RatingSchema schema() {
    return new RatingSchema(
        users, items, roles.contains(ColumnRole.RATING), roles.contains(ColumnRole.TIME));
  }

  /** Return the kind of ids in a role. */
  public IdKind kind(ColumnRole role) {
    return role == ColumnRole.USER ? users : items;
  }

  /** Return the same layout with text ids in one role. */
  public DelimitedLayout withTextIds(ColumnRole role) {
    return new DelimitedLayout(
        delimiter,
        quotes,
        roles,
        role == ColumnRole.USER ? IdKind.TEXT : users,
        role == ColumnRole.ITEM ? IdKind.TEXT : items,
        time,
        expected);
  }
}
