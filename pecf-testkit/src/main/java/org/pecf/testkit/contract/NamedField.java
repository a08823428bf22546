package org.pecf.testkit.contract;

import org.pecf.api.field.CellField;

/** Give a field a name for messages. */
record NamedField(String name, CellField field) {}
