package org.pecf.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;

class StudyOptionsTest {
  private static final Map<String, String> SEARCH =
      Map.of(
          "search", "rank=int:10..100\nwmf.deviation={0.1,0.2}",
          "trials", "7",
          "strategy", "halving",
          "budget", "iterations",
          "reduction", "2",
          "tune-seed", "9",
          "trial-seconds", "3.5");

  private static final Map<String, String> STUDY =
      Map.of(
          "quick", "true",
          "seeds", "2",
          "only", "recall,pecf",
          "against", "pecf",
          "tuned", "pecf=a,b/best.yaml\nwmf=c.yaml");

  private static String message(Runnable wrong) {
    return assertThrows(PecfException.class, wrong::run).getMessage();
  }

  @Test
  void searchesWithNothingAtItsDefaultAreReadAndWritten() {
    assertEquals(SEARCH.keySet(), Set.copyOf(TuneSettings.SCHEMA.keys()));
    TuneSettings settings = TuneSettings.SCHEMA.bind("", SEARCH);
    assertEquals(SEARCH, TuneSettings.SCHEMA.texts(settings));
    assertEquals(
        List.of("rank", "wmf.deviation"),
        settings.space().parameters().stream().map(SearchSpace.Parameter::key).toList());
    assertEquals(Optional.of(Budget.ITERATIONS), settings.budget());
  }

  @Test
  void studiesWithNothingAtItsDefaultAreReadAndWritten() {
    assertEquals(STUDY.keySet(), Set.copyOf(StudySettings.SCHEMA.keys()));
    StudySettings settings = StudySettings.SCHEMA.bind("", STUDY);
    assertEquals(STUDY, StudySettings.SCHEMA.texts(settings));
    assertEquals(
        Map.of(Method.PECF, Path.of("a,b/best.yaml"), Method.WMF, Path.of("c.yaml")),
        settings.tuned().files());
    assertEquals(EnumSet.of(StudySettings.Output.RECALL), settings.outputs());
    assertEquals(EnumSet.of(Method.PECF), settings.methods());
    assertEquals(2, settings.seedCount());
  }

  @Test
  void differencesAreTestedFromMethodsOfTheStudy() {
    Map<String, String> given =
        Map.of("only", "wmf,bagging,pecf", "against", "bagging,wmf,bagging");
    StudySettings settings = StudySettings.SCHEMA.bind("", given);
    assertEquals(List.of(Method.BAGGING, Method.WMF), settings.against());
    assertEquals(EnumSet.allOf(StudySettings.Output.class), settings.outputs());
    Map<String, String> absent = Map.of("only", "wmf,pecf", "against", "bagging");
    String message = message(() -> StudySettings.SCHEMA.bind("", absent));
    assertTrue(message.contains("Differences from bagging cannot be tested"), message);
    // PECF is the usual reference, and may be left out all the same.
    StudySettings.SCHEMA.bind("", Map.of("only", "wmf,bagging"));
  }

  @Test
  void seedsAreThreeOrOneInShort() {
    assertEquals(3, StudySettings.SCHEMA.bind("", Map.of()).seedCount());
    assertEquals(1, StudySettings.SCHEMA.bind("", Map.of("quick", "true")).seedCount());
  }

  @Test
  void optionsWithoutEffectAreRefused() {
    String budget =
        message(
            () ->
                TuneSettings.SCHEMA.bind("", Map.of("search", "nu=1..2", "budget", "iterations")));
    assertTrue(budget.contains("'budget' has no effect"), budget);
  }
}
