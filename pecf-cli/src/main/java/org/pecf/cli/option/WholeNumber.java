package org.pecf.cli.option;

import picocli.CommandLine.ITypeConverter;

/** A reader of whole numbers, with plain error messages. */
public final class WholeNumber implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    return (int) OptionValues.wholeNumber(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
