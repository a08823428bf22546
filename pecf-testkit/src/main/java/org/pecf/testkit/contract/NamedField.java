package org.pecf.testkit.contract;

import org.pecf.api.field.CellField;

/** A field with a name for messages. */
record NamedField(String name, CellField field) {}
