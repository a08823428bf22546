package org.pecf.engine.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class FiniteJsonTest {
  @Test
  void nullStandsForWhatIsNotFiniteAtEveryDepth() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("bound", Double.POSITIVE_INFINITY).put("error", 0.5).put("name", "Infinity");
    json.putArray("plans")
        .add(Float.NEGATIVE_INFINITY)
        .add(7L)
        .addObject()
        .put("inner", Double.NaN);
    assertEquals(
        "{\"bound\":null,\"error\":0.5,\"name\":\"Infinity\",\"plans\":[null,7,{\"inner\":null}]}",
        FiniteJson.of(json).toString());
    assertEquals(Double.POSITIVE_INFINITY, json.get("bound").doubleValue());
  }

  @Test
  void numbersLargerThanAnyDoubleStay() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("large", java.math.BigInteger.TEN.pow(400));
    assertEquals(json, FiniteJson.of(json));
  }
}
