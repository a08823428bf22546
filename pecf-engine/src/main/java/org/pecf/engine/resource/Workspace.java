package org.pecf.engine.resource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.pecf.api.PecfException;
import org.pecf.api.compute.Availability;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.ComputeSession;
import org.pecf.api.compute.SessionContext;
import org.pecf.api.memory.GridShape;
import org.pecf.api.run.Cancellation;
import org.pecf.api.run.Parallelism;
import org.pecf.api.run.RunContext;
import org.pecf.api.run.RunEvent;
import org.pecf.api.run.RunListener;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.Dataset;
import org.pecf.engine.data.DatasetLoader;
import org.pecf.engine.data.Interactions;
import org.pecf.engine.data.MemoryBudget;
import org.pecf.engine.data.RatingLoaders;
import org.pecf.engine.plugin.Backend;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.plugin.ProviderKind;
import org.pecf.engine.request.ComputeRequest;

/** The resources of a run: memory, threads, and access to data and backends. Close it last. */
public final class Workspace implements AutoCloseable {
  private final PluginCatalog catalog;
  private final ComputeRequest compute;
  private final RunListener listener;
  private final Cancellation cancellation;
  private volatile Cancellation limit = () -> false;
  private final BufferAllocator allocator;
  private final WorkerPool pool;

  /** The backend, once it has been looked for. */
  private Optional<Choice> choice = Optional.empty();

  /**
   * Set up memory and threads.
   *
   * @param catalog where plugins are found
   * @param compute the resources
   * @param listener is notified of all events
   * @param cancellation tells when to stop
   */
  public Workspace(
      PluginCatalog catalog,
      ComputeRequest compute,
      RunListener listener,
      Cancellation cancellation) {
    this.catalog = catalog;
    this.compute = compute;
    this.listener = listener;
    this.cancellation = () -> cancellation.requested() || limit.requested();
    this.pool = new WorkerPool(compute.threads(), this.cancellation);
    this.allocator = MemoryBudget.allocator(compute.memory().bytes());
  }

  /** Return where plugins are found. */
  public PluginCatalog catalog() {
    return catalog;
  }

  /** Return the resources that were asked for. */
  public ComputeRequest compute() {
    return compute;
  }

  /** Return the owner of all memory. */
  public BufferAllocator allocator() {
    return allocator;
  }

  /** Return the threads. */
  public Parallelism pool() {
    return pool;
  }

  /** Return the listener that is notified of all events. */
  public RunListener listener() {
    return listener;
  }

  /** Return the cancellation of the run. */
  public Cancellation cancellation() {
    return cancellation;
  }

  /**
   * Do some work that ends early when a limit says so, too.
   *
   * @param most tells when the work has reached the limit; that stays so
   * @throws PecfException with {@link org.pecf.api.ErrorCode#CANCELLED} if it ends early, unless
   *     the work has a result all the same
   */
  public <T> T within(Cancellation most, Supplier<T> work) {
    limit = most;
    try {
      return work.get();
    } finally {
      limit = () -> false;
    }
  }

  /** Return the resources of the run. */
  public RunContext context() {
    return new RunContext(allocator, pool, cancellation, listener);
  }

  /** Return the loaders of the catalog. */
  public RatingLoaders loaders() {
    return RatingLoaders.of(catalog);
  }

  /** Load data; the caller owns it. */
  public Dataset load(DataRequest request) {
    return new DatasetLoader(loaders()).load(request, context());
  }

  /** Take data from memory by the rules of a request; the caller owns it. */
  public Dataset take(Interactions interactions, DataRequest request) {
    return DatasetLoader.take(interactions, request, context());
  }

  /** Look for a backend, so that a run that cannot have one fails before it reads data. */
  public void lookForBackend() {
    if (!automatic()) {
      named();
    } else {
      List<String> passedOver = new ArrayList<>();
      if (installed(passedOver).stream().noneMatch(backend -> works(backend, passedOver))) {
        throw none(passedOver);
      }
    }
  }

  /** Return the id of the backend for a grid. */
  public String backend(GridShape shape) {
    return chosen(shape).backend().id();
  }

  private boolean automatic() {
    return compute.backend().id().equals("auto");
  }

  /** Open the backend for a grid; the caller closes it. */
  public ComputeSession open(GridShape shape) {
    return open(shape, compute.path());
  }

  /** Open the backend for a grid on a path of its own; the caller closes it. */
  public ComputeSession open(GridShape shape, ComputationPath path) {
    ComputeSession session = openUnannounced(shape, path);
    Choice chosen = chosen(shape);
    listener.on(
        new BackendOpened(
            chosen.backend().id(), chosen.explanation(), compute.threads(), chosen.passedOver()));
    return session;
  }

  /** Open the backend once more, for work that belongs to a run that announced it. */
  public ComputeSession openUnannounced(GridShape shape, ComputationPath path) {
    return chosen(shape).backend().open(session(shape, path));
  }

  private SessionContext session(GridShape shape, ComputationPath path) {
    return new SessionContext(context(), shape, path, compute.weightError());
  }

  /** Return the backend, which is chosen for the first grid that one is asked for. */
  private synchronized Choice chosen(GridShape shape) {
    if (choice.isEmpty()) {
      choice = Optional.of(automatic() ? choose(shape) : named());
    }
    return choice.get();
  }

  /**
   * The backend of a run.
   *
   * @param backend the backend
   * @param explanation the hardware and libraries that it uses
   * @param passedOver the reasons why no better one was chosen
   */
  private record Choice(Backend backend, String explanation, String passedOver) {}

  private Choice named() {
    Backend backend = catalog.backend(compute.backend());
    Availability availability = backend.probe();
    if (!availability.available()) {
      throw PecfException.unavailable(
          "Backend %s cannot be used here. %s", backend.id(), availability.explanation());
    }
    return new Choice(backend, availability.explanation(), "");
  }

  /**
   * Choose the preferred backend that works. Where there is another to fall back to, it is opened
   * for a moment first: a device may be there and yet be taken by others, full, or broken.
   */
  private Choice choose(GridShape shape) {
    List<String> passedOver = new ArrayList<>();
    Deque<Backend> candidates =
        installed(passedOver).stream()
            // By id where preferences are equal: the sort is stable.
            .sorted(Comparator.comparing((Backend one) -> one.preference(shape)).reversed())
            .collect(Collectors.toCollection(ArrayDeque::new));
    while (!candidates.isEmpty()) {
      Backend backend = candidates.remove();
      boolean last = candidates.stream().noneMatch(other -> other.probe().available());
      if (works(backend, passedOver) && (last || opens(backend, passedOver))) {
        return new Choice(backend, backend.probe().explanation(), String.join(", ", passedOver));
      }
    }
    throw none(passedOver);
  }

  /** Return all backends by id; a backend that cannot be created is passed over. */
  private List<Backend> installed(List<String> passedOver) {
    List<Backend> backends = new ArrayList<>();
    for (String id : catalog.ids(ProviderKind.BACKEND)) {
      try {
        backends.add(catalog.backend(new ProviderChoice(id, compute.backend().options())));
      } catch (PecfException e) {
        passedOver.add(reason(id, e.getMessage()));
      }
    }
    return backends;
  }

  private static boolean works(Backend backend, List<String> passedOver) {
    Availability availability = backend.probe();
    if (!availability.available()) {
      passedOver.add(reason(backend.id(), availability.explanation()));
    }
    return availability.available();
  }

  private boolean opens(Backend backend, List<String> passedOver) {
    try {
      backend.open(session(new GridShape(1, 1), compute.path())).close();
      return true;
    } catch (PecfException e) {
      passedOver.add(reason(backend.id(), e.getMessage()));
      return false;
    }
  }

  private static PecfException none(List<String> passedOver) {
    return PecfException.unavailable(
        "No compute backend works here (%s). Install plugin-backend-cpu, which works everywhere.",
        passedOver.isEmpty() ? "none is installed" : String.join(", ", passedOver));
  }

  private static String reason(String id, String explanation) {
    return "not " + id + ": " + firstSentence(explanation);
  }

  /** Return a bound on the memory that the backend takes for models of a rank on a grid. */
  public long backendMemory(GridShape shape, int rank) {
    return chosen(shape).backend().memoryEstimate(session(shape, compute.path()), rank);
  }

  /** Return the reason without the advice that follows it. */
  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end);
  }

  /** Refuse models that cannot fit in memory, before any work is done. */
  public void requireMemory(long bytes, long members) {
    long free = allocator.getLimit() - allocator.getAllocatedMemory();
    if (bytes > free) {
      throw PecfException.resources(
          "The models of %d members take about %d MiB of memory, of which %d MiB are left. Allow"
              + " more memory, or lower the rank or the number of members.",
          members, bytes >> 20, free >> 20);
    }
  }

  /** Refuse a filter of which not even one model fits. */
  public void requireMemory(String filter, long bytes) {
    long free = allocator.getLimit() - allocator.getAllocatedMemory();
    if (bytes > free) {
      throw PecfException.resources(
          "A model of %s takes about %d MiB of memory by its own estimate, of which %d MiB are"
              + " left. Allow more memory, choose smaller options, such as a lower rank, or tell"
              + " the filter's author if the estimate is wrong.",
          filter, bytes >> 20, free >> 20);
    }
  }

  @Override
  public void close() {
    pool.close();
    allocator.close();
  }

  /**
   * The event that names the backend of a run.
   *
   * @param id the backend's id
   * @param explanation the device it runs on
   * @param threads how many threads
   * @param passedOver which backends would have been preferred, and why they were not taken; empty
   *     if none would
   */
  public record BackendOpened(String id, String explanation, int threads, String passedOver)
      implements RunEvent {
    @Override
    public String summary() {
      return String.format(
          "backend %s: %s, %s threads%s",
          id, explanation, threads, passedOver.isEmpty() ? "" : "; " + passedOver);
    }
  }
}
