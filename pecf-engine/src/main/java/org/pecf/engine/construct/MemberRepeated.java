package org.pecf.engine.construct;

import org.pecf.api.run.RunEvent;

/**
 * The event that a member is the same as an earlier one: its filter draws nothing at random, and
 * nothing else has changed.
 *
 * @param member counted from 1
 * @param earlier the earlier member, counted from 1
 * @param filter the id of their filter
 */
public record MemberRepeated(int member, int earlier, String filter) implements RunEvent {
  @Override
  public String summary() {
    return String.format(
        "member %d is the same as member %d: %s draws nothing at random, so that another one of it"
            + " adds nothing here; use one member, several filters, or weights that change",
        member, earlier, filter);
  }
}
