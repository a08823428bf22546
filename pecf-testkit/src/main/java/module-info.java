import org.jspecify.annotations.NullMarked;

/**
 * Tests for authors of PECF plugins: a contract for each SPI, slow and obvious references, and
 * small data.
 *
 * <p>Only for test scopes.
 */
@NullMarked
module org.pecf.testkit {
  requires transitive org.pecf.api;
  requires transitive org.junit.jupiter.api;
  requires static org.junit.platform.launcher;

  exports org.pecf.testkit.contract;
  exports org.pecf.testkit.fixture;
  exports org.pecf.testkit.reference;
}
