package org.pecf.cli.option;

import picocli.CommandLine.ITypeConverter;

/** A reader of finite numbers, with plain error messages. */
public final class FiniteNumber implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    return OptionValues.number(text, Double.MAX_VALUE);
  }
}
