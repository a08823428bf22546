package org.pecf.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.pecf.api.PecfException;

class JobsTest {
  private final JavaSparkContext context =
      JavaSparkContext.fromSparkContext(Sessions.local().sparkContext());

  @AfterEach
  void clear() {
    context.sc().setJobDescription(null);
  }

  @AfterAll
  static void stop() {
    Sessions.local().stop();
  }

  /** Return numbers, one of which a task refuses. */
  private JavaRDD<Integer> refused(int refused) {
    return context
        .parallelize(List.of(1, 2, 3, 4), 2)
        .map(
            number -> {
              if (number == refused) {
                throw PecfException.badData("The number %d is refused. Use another one.", number);
              }
              return number;
            });
  }

  @Test
  void collectsInOrder() {
    assertEquals(List.of(1, 2, 3, 4), Jobs.collect("numbers", refused(5)));
  }

  @Test
  void refusesInTheWordsOfTheTask() {
    PecfException collected =
        assertThrows(PecfException.class, () -> Jobs.collect("numbers", refused(3)));
    PecfException computed =
        assertThrows(PecfException.class, () -> Jobs.compute("numbers", refused(1)));
    assertEquals("The number 3 is refused. Use another one.", collected.getMessage());
    assertEquals("The number 1 is refused. Use another one.", computed.getMessage());
  }

  @Test
  void leavesOtherFailuresToSpark() {
    JavaRDD<Integer> broken = context.parallelize(List.of(1, 0), 2).map(number -> 1 / number);
    assertThrows(SparkException.class, () -> Jobs.collect("numbers", broken));
  }

  @Test
  void describesItsJobsAndNoOthers() throws Exception {
    context.sc().setJobDescription("of the program");
    List<String> described = new ArrayList<>();
    JavaRDD<Integer> numbers = refused(5);
    context.sc().addSparkListener(new Descriptions(described));
    numbers.count();
    Jobs.collect("numbers", numbers);
    assertThrows(PecfException.class, () -> Jobs.compute("refused numbers", refused(2)));
    numbers.count();
    context.sc().listenerBus().waitUntilEmpty();
    assertEquals(
        List.of("of the program", "PECF: numbers", "PECF: refused numbers", "of the program"),
        described);
  }

  private static final class Descriptions extends SparkListener {
    private final List<String> described;

    Descriptions(List<String> described) {
      this.described = described;
    }

    @Override
    public void onJobStart(SparkListenerJobStart event) {
      described.add(event.properties().getProperty(Jobs.DESCRIPTION));
    }
  }
}
