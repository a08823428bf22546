package org.pecf.fuzz;

import java.io.IOException;
import java.nio.file.Path;

/** The parts of PECF that read bytes of unknown origin, by name. */
enum Readers {
  CSV {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "csv", "ratings.csv");
    }
  },
  MOVIELENS {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "movielens", "ratings.dat");
    }
  },
  NETFLIX {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "netflix", "combined_data_1.txt");
    }
  },
  CITEULIKE {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "citeulike", "users.dat");
    }
  },
  ARROW {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "arrow", "ratings.arrow");
    }
  },
  PARQUET {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "parquet", "ratings.parquet");
    }
  },
  /** Files of any format, which is recognised by content. */
  RECOGNITION {
    @Override
    UntrustedReader in(Path folder) {
      return new RatingsReader(folder, "auto", "ratings");
    }
  },
  QUERY {
    @Override
    UntrustedReader in(Path folder) throws IOException {
      return new QueryReader(folder);
    }
  },
  CONFIGURATION {
    @Override
    UntrustedReader in(Path folder) {
      return new ConfigurationReader(folder);
    }
  },
  MODEL {
    @Override
    UntrustedReader in(Path folder) throws IOException {
      return new ModelFilesReader(folder);
    }
  },
  PLUGIN {
    @Override
    UntrustedReader in(Path folder) throws IOException {
      return new PluginJarReader(folder);
    }
  };

  /** Create a reader that works in a folder of its own. */
  abstract UntrustedReader in(Path folder) throws IOException;
}
