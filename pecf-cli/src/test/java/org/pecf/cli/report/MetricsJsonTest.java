package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsJsonTest {
  @TempDir private Path folder;

  @Test
  void infinityIsWrittenAsNull() throws IOException {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("plans").addObject().put("scoreBound", Double.POSITIVE_INFINITY);
    Path file = folder.resolve("metrics.json");
    MetricsJson.write(json, file);
    String text = Files.readString(file);
    assertTrue(new JsonMapper().readTree(text).at("/plans/0/scoreBound").isNull(), text);
  }
}
