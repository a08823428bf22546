package org.pecf.api.run;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apiguardian.api.API;

/**
 * A node of the labelled tree of random seeds.
 *
 * <p>A child depends on its parent, its label and its index only, never on which thread asks or how
 * many numbers were drawn before; so a run is a function of its root seed. Key children by what is
 * computed (member 3, block 17), not by who computes it.
 *
 * @param value the 64 bits of this node
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Seed(long value) {
  /** Return the child of the given label. */
  public Seed child(String label) {
    return child(label, 0);
  }

  /** Return the child of the given label and index. */
  public Seed child(String label, long index) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : label.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return new Seed(mix(mix(mix(value) ^ hash) ^ index * 0x9e3779b97f4a7c15L));
  }

  /** Return a new generator that starts at this node; its numbers are the same on every JDK. */
  public SplittableRandom random() {
    return new SplittableRandom(value);
  }

  /**
   * Fill an array with normal numbers of mean zero by the Box-Muller transform.
   *
   * @param target Modified.
   * @param deviation the standard deviation
   */
  public void fillNormal(float[] target, double deviation) {
    SplittableRandom random = random();
    for (int i = 0; i < target.length; i += 2) {
      double radius = deviation * Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
      double angle = 2 * Math.PI * random.nextDouble();
      target[i] = (float) (radius * StrictMath.cos(angle));
      if (i + 1 < target.length) {
        target[i + 1] = (float) (radius * StrictMath.sin(angle));
      }
    }
  }

  private static long mix(long bits) {
    long z = bits + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
