package org.pecf.api;

import org.apiguardian.api.API;

/**
 * The kinds of problem, each with the party who can fix it and the exit code of a run that it ends.
 *
 * @since 0.1
 */
@API(status = API.Status.STABLE, since = "0.1")
public enum ErrorCode {
  /** An option, key or combination of options that has no meaning. */
  BAD_OPTION(Audience.USER, 2),
  /** A file that is missing, malformed or does not hold what was asked for. */
  BAD_DATA(Audience.USER, 2),
  /** A model folder that is missing, corrupt or of a newer format. */
  BAD_MODEL(Audience.USER, 2),
  /** A plugin, backend or provider that was asked for and is not there. */
  UNAVAILABLE(Audience.USER, 3),
  /** A plugin that breaks its contract. */
  PLUGIN_FAULT(Audience.PLUGIN_AUTHOR, 3),
  /** Memory, disk or devices that do not suffice. */
  RESOURCES(Audience.OPERATOR, 2),
  /** The run was cancelled. */
  CANCELLED(Audience.USER, 130),
  /** A defect of PECF itself. */
  INTERNAL(Audience.PECF, 1);

  /** The party who can fix a problem. */
  public enum Audience {
    /** The person who typed the command or called the engine. */
    USER,
    /** The author of the plugin named in the message. */
    PLUGIN_AUTHOR,
    /** Whoever provides the machine. */
    OPERATOR,
    /** The authors of PECF. */
    PECF
  }

  private final Audience audience;
  private final int exitCode;

  ErrorCode(Audience audience, int exitCode) {
    this.audience = audience;
    this.exitCode = exitCode;
  }

  /** Return the party who can fix this kind of problem. */
  public Audience audience() {
    return audience;
  }

  /** Return the exit code of a command that this kind of problem ends. */
  public int exitCode() {
    return exitCode;
  }
}
