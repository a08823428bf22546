package org.pecf.cli.option;

import picocli.CommandLine.ITypeConverter;

/** A reader of whole numbers that may be large, such as seeds. */
public final class LargeWholeNumber implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    return OptionValues.wholeNumber(text, Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
