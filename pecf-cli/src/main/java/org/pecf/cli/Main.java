package org.pecf.cli;

/** Start. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.out.println("pecf");
  }
}
