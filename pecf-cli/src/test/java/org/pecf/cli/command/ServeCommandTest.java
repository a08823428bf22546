package org.pecf.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.cli.RecordedApplication;

/** What serve and progress options refuse; what serve does is for the tests of the service. */
class ServeCommandTest extends RecordedApplication {
  @TempDir private Path folder;

  private void assertRefused(String reason, String... arguments) {
    assertEquals(2, execute(arguments), err());
    assertTrue(err().contains(reason), err());
  }

  @Test
  void badOptionsAreRefusedBeforeTheModelIsOpened() throws IOException {
    String token = Files.writeString(folder.resolve("token"), "short").toString();
    assertRefused("it needs 16 or more", "serve", "model", "--token-file", token);
    String missing = folder.resolve("missing").toString();
    assertRefused("there is no such file", "serve", "model", "--token-file", missing);
    assertRefused("no effect without --tls-keystore", "serve", "model", "--tls-password-file", "x");
    assertRefused("needs the key store's password", "serve", "model", "--tls-keystore", "x");
    assertRefused("The port cannot be 70000", "serve", "model", "--port", "70000");
    assertRefused("cannot be 0", "serve", "model", "--max-requests", "0");
    assertRefused("is not known", "serve", "model", "--host", "[bad");
  }

  @Test
  void aModelThatIsNotThereIsNamed() {
    assertRefused("missing", "serve", folder.resolve("missing").toString(), "--port", "0");
  }

  @Test
  void formsOfProgressThatContradictAreRefused() {
    assertRefused("--quiet contradicts --verbose", "--quiet", "--verbose");
    assertRefused("--quiet contradicts --progress", "--quiet", "--progress", "json");
    assertRefused("--progress", "--progress", "fancy");
  }
}
