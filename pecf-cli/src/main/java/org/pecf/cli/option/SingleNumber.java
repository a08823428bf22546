package org.pecf.cli.option;

import picocli.CommandLine.ITypeConverter;

/** A reader of numbers of single precision. */
public final class SingleNumber implements ITypeConverter<Float> {
  @Override
  public Float convert(String text) {
    return (float) OptionValues.number(text, Float.MAX_VALUE);
  }
}
