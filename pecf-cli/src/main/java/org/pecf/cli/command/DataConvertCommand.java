package org.pecf.cli.command;

import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Optional;
import org.pecf.api.PecfException;
import org.pecf.api.data.DataSource;
import org.pecf.api.plugin.Option;
import org.pecf.api.run.RunContext;
import org.pecf.cli.console.Figures;
import org.pecf.cli.option.RecordOptions;
import org.pecf.cli.option.WorkOptions;
import org.pecf.cli.run.RunEnvironment;
import org.pecf.engine.data.DataRequest;
import org.pecf.engine.data.FormatRecogniser;
import org.pecf.engine.data.RatingsWriter;
import org.pecf.engine.file.OutputFile;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.plugin.ProviderChoice;
import org.pecf.engine.resource.Workspace;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The command that writes ratings, all of them and as they are, in another format. */
@CommandLine.Command(
    description = "Write ratings, all of them and as they are, to a .csv or .arrow file.")
public final class DataConvertCommand extends Command {
  @Parameters(
      index = "0",
      paramLabel = "FROM",
      description = "Ratings: a file, a folder, or builtin:NAME.")
  private String from;

  @Parameters(
      index = "1",
      paramLabel = "TO",
      description = "The file to write; its ending, .csv or .arrow, says the format.")
  private Path to;

  /** The format, and whether a file is replaced. */
  private record Options(
      @Option(
              value = "The format of FROM",
              label = "FORMAT",
              defaultValue = "auto",
              unset = "auto, recognised by content")
          ProviderChoice format,
      @Option(value = "Replace the file if it is there", defaultValue = "false")
          boolean overwrite) {}

  private final RecordOptions<Options> options = add(MethodHandles.lookup(), Options.class);

  private final WorkOptions work = add(WorkOptions.ofReading());

  @Override
  public int run() {
    RatingsWriter.Format target = RatingsWriter.formatOf(to);
    OutputFile file = OutputFile.at(to);
    if (file.replaces() && !options.get().overwrite()) {
      throw PecfException.badOption(
          "%s exists already. Choose another name, or add --overwrite.", to);
    }
    file.check();
    PluginCatalog catalog = catalog();
    WorkOptions.Work resources =
        work.work(catalog, DataRequest.of(from).withFormat(options.get().format()));
    try (RunEnvironment surroundings = environment(Optional.empty());
        Workspace workspace =
            resources.workspace(catalog, surroundings.listener(), surroundings.interruption())) {
      RunContext context = workspace.context();
      DataSource source = new DataSource(from);
      try (RatingsWriter writer = new RatingsWriter(to, target, context)) {
        new FormatRecogniser(workspace.loaders(), workspace.listener())
            .loader(source, resources.data().format())
            .load(source, writer, context);
        long written = writer.finish();
        surroundings.endDisplay();
        console().out().println(Figures.count(written) + " ratings written to " + to);
      }
      return 0;
    }
  }
}
