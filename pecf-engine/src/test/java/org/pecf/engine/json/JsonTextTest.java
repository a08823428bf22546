package org.pecf.engine.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void nullStandsForNumbersThatAreNotFiniteAtEveryDepth() throws Exception {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("bound", Double.POSITIVE_INFINITY).put("error", 0.5).put("name", "Infinity");
    json.putArray("plans")
        .add(Float.NEGATIVE_INFINITY)
        .add(7L)
        .addObject()
        .put("inner", Double.NaN);
    assertEquals(
        JSON.readTree(
            "{\"bound\":null,\"error\":0.5,\"name\":\"Infinity\",\"plans\":[null,7,{\"inner\":null}]}"),
        JSON.readTree(JsonText.of(json)));
    assertEquals(Double.POSITIVE_INFINITY, json.get("bound").doubleValue());
  }

  @Test
  void numbersLargerThanAnyDoubleStay() throws Exception {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("large", java.math.BigInteger.TEN.pow(400));
    assertEquals(json, JSON.readTree(JsonText.of(json)));
  }

  @Test
  void valuesAreIndentedAndEndWithALineEnd() {
    assertEquals("{\n  \"rank\" : 5\n}\n", JsonText.of(Map.of("rank", 5)));
  }
}
