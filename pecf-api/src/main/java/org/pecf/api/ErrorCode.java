package org.pecf.api;

import org.apiguardian.api.API;

/** The kinds of problem, each with the exit code of a run that it ends. */
@API(status = API.Status.STABLE, since = "0.1")
public enum ErrorCode {
  /** An option, key or combination of options that has no meaning. */
  BAD_OPTION(2),
  /** A file that is missing, malformed or does not hold what was asked for. */
  BAD_DATA(2),
  /** A model folder that is missing, corrupt or of a newer format. */
  BAD_MODEL(2),
  /** A plugin, backend or provider that was asked for and is not there. */
  UNAVAILABLE(3),
  /** A plugin that breaks its contract. */
  PLUGIN_FAULT(3),
  /** Memory, disk or devices that do not suffice. */
  RESOURCES(2),
  /** The run was cancelled. */
  CANCELLED(130),
  /** A defect of PECF itself. */
  INTERNAL(1);

  private final int exitCode;

  ErrorCode(int exitCode) {
    this.exitCode = exitCode;
  }

  /** Return the exit code of a command that this kind of problem ends. */
  public int exitCode() {
    return exitCode;
  }
}
