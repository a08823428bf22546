package org.pecf.engine.construct;

import org.pecf.api.run.RunEvent;

/**
 * The event that the training of a member starts.
 *
 * @param member counted from 1
 * @param members the largest number of members
 * @param filter the id of its filter
 */
public record MemberStarted(int member, int members, String filter) implements RunEvent {
  @Override
  public String summary() {
    return "member " + member + "/" + members + ": training " + filter;
  }
}
