package org.pecf.spark;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.pecf.api.memory.FactorModel;
import org.pecf.api.memory.FloatMatrix;
import org.pecf.api.memory.GridShape;
import org.pecf.api.memory.RowRule;
import org.pecf.api.memory.RowRules;
import org.pecf.api.memory.Side;
import org.pecf.api.memory.SparseCells;
import org.pecf.engine.data.IdMap;
import org.pecf.engine.ensemble.Combination;
import org.pecf.engine.ensemble.Ensemble;
import org.pecf.engine.ensemble.MemberFit;
import org.pecf.engine.ensemble.WeightRule;
import org.pecf.engine.json.RequestJson;
import org.pecf.engine.model.ModelDescription;
import org.pecf.engine.model.ModelStore;
import org.pecf.engine.model.StoredModel;
import org.pecf.engine.plugin.PluginCatalog;
import org.pecf.engine.request.RequestOptions;
import org.pecf.engine.request.TrainingRequest;

/** The writing of a trained ensemble as an ordinary model folder. */
final class ModelExport {
  private ModelExport() {}

  /**
   * Write a model.
   *
   * @param training the columns user and item: the cells that the model has seen, which are not
   *     recommended again; those of users and items that the model does not have are left out
   * @param alsoKnown the other cells that are not recommended
   */
  static void write(
      Path folder, EnsembleContent content, Dataset<Row> training, Dataset<Row> alsoKnown) {
    ModelStore.checkPlace(folder, false);
    TrainingRequest request = request(content);
    List<Row> users = content.users().sort("id").collectAsList();
    List<Row> items = content.items().sort("id").collectAsList();
    long[] userIds = ids(users);
    long[] itemIds = ids(items);
    long[] trained = cells(training, userIds, itemIds);
    long[] known = cells(alsoKnown, userIds, itemIds);
    try (BufferAllocator allocator = new RootAllocator();
        StoredModel model =
            new StoredModel(
                ensemble(allocator, content, request, users, items),
                map(allocator, Side.USERS, userIds),
                map(allocator, Side.ITEMS, itemIds),
                sparse(allocator, userIds.length, itemIds.length, trained),
                sparse(allocator, userIds.length, itemIds.length, known),
                description(request))) {
      ModelStore.save(folder, model, false, allocator);
    }
  }

  private static TrainingRequest request(EnsembleContent content) {
    Map<String, String> options = new LinkedHashMap<>(content.options());
    options.put("data", "spark");
    options.put("split", "none");
    return new RequestOptions(options).trial(PluginCatalog.load(List.of()));
  }

  private static ModelDescription description(TrainingRequest request) {
    String version =
        Optional.ofNullable(Pecf.class.getPackage().getImplementationVersion()).orElse("unknown");
    return new ModelDescription(
        version,
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        true,
        request.seed(),
        "not known: trained on Spark",
        RequestJson.write(request),
        Map.of("filter wmf", version),
        Map.of(),
        ModelDescription.THIS_MODEL);
  }

  private static long[] ids(List<Row> rows) {
    return rows.stream().mapToLong(row -> row.getLong(0)).toArray();
  }

  private static IdMap map(BufferAllocator allocator, Side side, long[] ids) {
    BigIntVector vector = new BigIntVector("ids", allocator);
    vector.allocateNew(ids.length);
    for (int k = 0; k < ids.length; k++) {
      vector.set(k, ids[k]);
    }
    vector.setValueCount(ids.length);
    return IdMap.of(side, vector);
  }

  private static long[] cells(Dataset<Row> known, long[] users, long[] items) {
    return Jobs.refusing(known::collectAsList).stream()
        .filter(row -> find(users, row.getLong(0)) >= 0 && find(items, row.getLong(1)) >= 0)
        .mapToLong(row -> CellBlock.cell(find(users, row.getLong(0)), find(items, row.getLong(1))))
        .sorted()
        .distinct()
        .toArray();
  }

  private static int find(long[] ids, long id) {
    return Arrays.binarySearch(ids, id);
  }

  private static SparseCells sparse(BufferAllocator allocator, int users, int items, long[] cells) {
    return SparseCells.ofSorted(
        allocator,
        users,
        items,
        cells.length,
        Arrays.stream(cells).mapToInt(cell -> (int) (cell >>> 32)).toArray(),
        Arrays.stream(cells).mapToInt(cell -> (int) cell).toArray());
  }

  private static Ensemble ensemble(
      BufferAllocator allocator,
      EnsembleContent content,
      TrainingRequest request,
      List<Row> users,
      List<Row> items) {
    Ensemble ensemble = new Ensemble(new GridShape(users.size(), items.size()));
    try {
      int count = content.reports().size();
      double exponent = content.frequencyExponent();
      for (int k = 0; k < count; k++) {
        MemberReport report = content.reports().get(k);
        WeightRule rule =
            report
                .weighting()
                .<WeightRule>map(
                    rho -> new WeightRule.Posterior(rho.nu(), rho.sigma(), rho.scale()))
                .orElseGet(WeightRule.Plain::new);
        MemberFit fit =
            MemberFit.of(
                request.ensemble().confidence(),
                rule,
                false,
                Arrays.stream(ensemble.weights()).boxed().toList());
        FactorModel model =
            new FactorModel(
                matrix(allocator, users, k, count),
                matrix(allocator, items, k, count),
                new RowRules(
                    new RowRule.LeastSquares(report.unitUser(), exponent),
                    new RowRule.LeastSquares(report.unitItem(), exponent)));
        ensemble.add(model, "wmf", Combination.CONVEX, report.alpha(), Optional.of(fit));
      }
      return ensemble;
    } catch (RuntimeException | Error e) {
      ensemble.close();
      throw e;
    }
  }

  /** Return the factors of one member. */
  private static FloatMatrix matrix(
      BufferAllocator allocator, List<Row> rows, int member, int members) {
    int rank = rows.get(0).getList(1).size() / members;
    FloatMatrix matrix = FloatMatrix.allocate(allocator, rows.size(), rank);
    for (int row = 0; row < rows.size(); row++) {
      float[] features = FeatureBlock.floats(rows.get(row).getList(1));
      matrix.writeRows(row, 1, Arrays.copyOfRange(features, member * rank, (member + 1) * rank));
    }
    return matrix;
  }
}
