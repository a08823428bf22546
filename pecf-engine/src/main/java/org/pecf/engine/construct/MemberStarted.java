package org.pecf.engine.construct;

import org.pecf.api.run.RunEvent;

/**
 * Say that the training of a member starts.
 *
 * @param member counted from 1
 * @param members how many there are at most
 * @param filter the id of its filter
 */
public record MemberStarted(int member, int members, String filter) implements RunEvent {
  @Override
  public String summary() {
    return "member " + member + "/" + members + ": training " + filter;
  }
}
