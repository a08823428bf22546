package org.pecf.cli.console;

/** A display that shows nothing. */
final class NoDisplay implements Display {
  @Override
  public void line(String text) {}

  @Override
  public void show(Progress progress) {}

  @Override
  public void close() {}
}
