package org.pecf.serve.answer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts about the model that is served.
 *
 * @param id the checksum of its manifest
 * @param created the time of its training
 * @param version the version of PECF that trained it
 * @param complete whether its training came to its end
 * @param users the number of its users
 * @param items the number of its items
 * @param titles whether titles of items are known
 * @param opened the time at which it was opened
 * @param reloads the number of models that came after the first since the start
 * @param problem why the last attempt to open another model failed, if it did
 * @param metrics the value of each metric by part; null if it is no finite number
 * @param metricsOf the ensemble that the metrics belong to
 * @param options the options of its training, if the model says
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ModelFacts(
    String id,
    String created,
    String version,
    boolean complete,
    int users,
    int items,
    boolean titles,
    String opened,
    int reloads,
    @Nullable String problem,
    Map<String, Map<String, @Nullable Double>> metrics,
    String metricsOf,
    @Nullable JsonNode options) {}
