package org.pecf.cli.console;

import java.lang.module.ModuleDescriptor;

/** The version of the program. */
public final class Version {
  private Version() {}

  /** Return the version, or "unknown" for classes that are not packaged. */
  public static String number() {
    ModuleDescriptor module = Version.class.getModule().getDescriptor();
    return module == null ? "unknown" : module.rawVersion().orElse("unknown");
  }

  /** Return one line with the version of the program and of Java. */
  public static String text() {
    return "pecf-run " + number() + " on Java " + Runtime.version();
  }
}
