package org.pecf.cli.option;

import picocli.CommandLine.ITypeConverter;

/** A reader of numbers that says in plain words what is wrong with others. */
public final class FiniteNumber implements ITypeConverter<Double> {
  @Override
  public Double convert(String text) {
    return OptionValues.number(text, Double.MAX_VALUE);
  }
}
