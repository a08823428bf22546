package org.pecf.engine.run;

import java.lang.module.ModuleDescriptor;

/** The version of the engine. */
final class EngineVersion {
  private EngineVersion() {}

  /** Return the version, or "unknown" on a class path, where classes have none. */
  static String number() {
    ModuleDescriptor module = EngineVersion.class.getModule().getDescriptor();
    return module == null ? "unknown" : module.rawVersion().orElse("unknown");
  }
}
