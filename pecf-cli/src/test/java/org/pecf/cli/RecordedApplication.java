package org.pecf.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.pecf.cli.console.Console;
import org.pecf.cli.console.Terminal;
import org.pecf.cli.option.TrainingOptions;
import org.pecf.engine.request.RequestOptions;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Run commands in this process, for tests to extend, and keep what the last of them printed. */
public abstract class RecordedApplication {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Terminal page = Terminal.none();

  /** Print to another page from now on. */
  protected void page(Terminal other) {
    page = other;
  }

  /** Run a command; return the exit code. */
  protected int execute(String... arguments) {
    out.reset();
    err.reset();
    return application().execute(arguments);
  }

  /** Return an application that prints to where {@link #out} and {@link #err} read. */
  protected Application application() {
    return new Application(
        new Console(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            page,
            Terminal.none()));
  }

  /** Run a command whose output goes to a folder; return the exit code. */
  protected int execute(String command, String arguments, Path place) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(arguments.split(" ")));
    words.add("--out");
    words.add(place.toString());
    return execute(words.toArray(String[]::new));
  }

  /** Return the options of trainings that arguments give. */
  protected static RequestOptions given(String... arguments) {
    TrainingOptions options = TrainingOptions.options(Set.of());
    CommandSpec command = CommandSpec.create();
    options.all().forEach(some -> some.specs().forEach(command::addOption));
    new CommandLine(command).parseArgs(arguments);
    return options.given();
  }

  /** Return what the last command printed. */
  protected String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Return what the last command complained of. */
  protected String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
