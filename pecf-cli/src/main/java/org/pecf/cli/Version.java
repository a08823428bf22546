package org.pecf.cli;

import java.lang.module.ModuleDescriptor;

/** Know the version of the program. */
final class Version {
  private Version() {}

  /** Return one line with the version of the program and of Java. */
  static String text() {
    ModuleDescriptor module = Version.class.getModule().getDescriptor();
    return "pecf-run "
        + (module == null ? "" : module.rawVersion().orElse("(unknown)") + " ")
        + "on Java "
        + Runtime.version();
  }
}
