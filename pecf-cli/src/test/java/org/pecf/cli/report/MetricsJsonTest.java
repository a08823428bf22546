package org.pecf.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.pecf.api.compute.ComputationPath;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.run.TrainingStep;
import org.pecf.cli.run.RunDetails;
import org.pecf.engine.construct.ConstructionEvent.MemberFinished;
import org.pecf.engine.json.JsonText;

class MetricsJsonTest {
  @TempDir private Path folder;

  private void assertWritten(String expected, Map<String, Object> results) throws IOException {
    Path file = folder.resolve("metrics.json");
    MetricsJson.write(results, file);
    JsonMapper json = new JsonMapper();
    assertEquals(json.readTree(expected), json.readTree(Files.readString(file)));
  }

  @Test
  void infinityIsWrittenAsNull() throws IOException {
    LeastSquaresPlan plan =
        new LeastSquaresPlan(
            ComputationPath.CORRECTED, "cheaper", 5, 100, Double.POSITIVE_INFINITY, 0, 0, 64);
    assertWritten(
        """
        {"member": 2, "path": "corrected", "reason": "cheaper", "exceptions": 5, "cells": 100,
         "scoreBound": null, "weightError": 0.0, "ignoredWeight": 0.0, "workingBytes": 64}
        """,
        JsonText.fields(new RunDetails.MemberPlan(2, plan)));
  }

  @Test
  void measuresOfTheLastStepStandAmongTheFieldsOfARound() throws IOException {
    Map<String, Double> measures = Map.of("objective", 2.5);
    MemberFinished kept =
        new MemberFinished(
            1,
            2,
            "wmf",
            1,
            Optional.of(new TrainingStep("wmf", 8, 8, measures)),
            List.of(),
            Map.of(),
            0.5);
    assertWritten(
        """
        {"member": 1, "filter": "wmf", "alpha": 1.0, "kept": true, "weight": 0.75, "steps": 8,
         "objective": 2.5, "validation": {}, "seconds": 0.5}
        """,
        MetricsJson.round(kept, Map.of(1, 0.75)));
    MemberFinished dropped =
        new MemberFinished(2, 2, "wmf", 1, Optional.empty(), List.of(), Map.of("wmse", 0.25), 0.5);
    assertWritten(
        """
        {"member": 2, "filter": "wmf", "alpha": 1.0, "kept": false,
         "validation": {"wmse": 0.25}, "seconds": 0.5}
        """,
        MetricsJson.round(dropped, Map.of(1, 0.75)));
  }
}
