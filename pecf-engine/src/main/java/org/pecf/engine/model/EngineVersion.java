package org.pecf.engine.model;

import java.lang.module.ModuleDescriptor;

/** The version of the engine. */
public final class EngineVersion {
  private EngineVersion() {}

  /** Return the version, or "unknown" on a class path, where classes have none. */
  public static String number() {
    ModuleDescriptor module = EngineVersion.class.getModule().getDescriptor();
    return module == null ? "unknown" : module.rawVersion().orElse("unknown");
  }
}
