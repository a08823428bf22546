package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class MetricsJsonTest {
  @Test
  void infinityIsWrittenAsNull() throws JsonProcessingException {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("plans").addObject().put("scoreBound", Double.POSITIVE_INFINITY);
    String text = MetricsJson.text(json);
    assertTrue(new JsonMapper().readTree(text).at("/plans/0/scoreBound").isNull(), text);
  }
}
