package org.pecf.plugin.backend.cuda.field;

import org.pecf.api.run.RunEvent;

/**
 * The event that fields have no kernel of their own although kernels are compiled here, and are
 * computed instruction by instruction.
 *
 * @param reason the first line of what the compiler said
 */
record FieldsInterpreted(String reason) implements RunEvent {
  @Override
  public String summary() {
    return "fields are computed by the general kernel, which takes longer: one of their own could"
        + " not be compiled ("
        + reason
        + ")";
  }
}
