package org.pecf.testkit;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;

/**
 * Remember all events.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class RecordingListener implements RunListener {
  private final List<RunEvent> events = new ArrayList<>();

  /** Hear of nothing yet. */
  public RecordingListener() {}

  @Override
  public synchronized void on(RunEvent event) {
    events.add(event);
  }

  /** Return all events so far, in order. */
  public synchronized List<RunEvent> events() {
    return List.copyOf(events);
  }

  /** Return the events of one type so far, in order. */
  public <E extends RunEvent> List<E> events(Class<E> type) {
    return events().stream().filter(type::isInstance).map(type::cast).toList();
  }
}
