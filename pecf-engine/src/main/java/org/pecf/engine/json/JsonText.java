package org.pecf.engine.json;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pecf.api.compute.LeastSquaresPlan;
import org.pecf.api.plugin.Choices;
import org.pecf.engine.construct.MemberWeights;
import org.pecf.engine.data.PositiveRule;
import org.pecf.engine.data.split.Confidence;
import org.pecf.engine.data.split.SplitRule;
import org.pecf.engine.evaluate.EvaluationRequest;
import org.pecf.engine.evaluate.MetricKey;
import org.pecf.engine.evaluate.UserSample;
import org.pecf.engine.request.MemorySize;

/**
 * The JSON text of values, and values read from it.
 *
 * <p>A record is an object with a field per component, read strictly: only an optional component
 * may be missing. Choices are written as on the command line, in lower case with hyphens; rules and
 * amounts as the texts that options take. JSON has no infinity and no NaN, so null stands for them.
 * A file never chooses the types that are created.
 */
public final class JsonText {
  private static final JsonMapper LINE =
      JsonMapper.builder()
          .annotationIntrospector(new ChoiceNames())
          .addModule(new Jdk8Module())
          .addModule(values())
          .enable(
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final JsonMapper INDENTED =
      LINE.rebuild().enable(SerializationFeature.INDENT_OUTPUT).build();

  private JsonText() {}

  /**
   * Return the indented text of a value, ending with a line end.
   *
   * @param value a record, or a map, list or plain value. Not modified.
   */
  public static String of(Object value) {
    return write(INDENTED, value) + "\n";
  }

  /**
   * Return the text of a value in one line, without a line end.
   *
   * @param value a record, or a map, list or plain value. Not modified.
   */
  public static String line(Object value) {
    return write(LINE, value);
  }

  private static String write(JsonMapper mapper, Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = new FiniteNumbers(mapper.createGenerator(text))) {
      mapper.writeValue(generator, value);
    } catch (IOException e) {
      throw new IllegalArgumentException(value + " has no JSON form", e);
    }
    return text.toString();
  }

  /**
   * Read a value.
   *
   * @param type the record, or another type that data binding knows
   * @throws IllegalArgumentException if the text is not JSON of that type; its message says why
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      T value = LINE.readValue(text, type);
      if (value == null) {
        throw new IllegalArgumentException("null is no " + type.getSimpleName());
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /**
   * Return the fields of a value as they are after writing and reading, by name in order: equal for
   * values with the same JSON.
   *
   * @param value a record or a map. Not modified.
   */
  public static Map<String, Object> fields(Object value) {
    return fields(line(value));
  }

  /**
   * Return the fields of a JSON object by name in order: maps, lists and plain values.
   *
   * @throws IllegalArgumentException if the text is not a JSON object; its message says why
   */
  public static Map<String, Object> fields(String json) {
    JavaType type =
        LINE.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class);
    try {
      return LINE.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Return the JSON form of types that are written as texts. */
  private static SimpleModule values() {
    SimpleModule module = new SimpleModule("pecf");
    text(module, Confidence.class, Confidence::parse);
    text(module, MemberWeights.class, MemberWeights::parse);
    text(module, MemorySize.class, MemorySize::parse);
    text(module, MetricKey.class, MetricKey::parse);
    text(module, PositiveRule.class, PositiveRule::parse);
    text(module, SplitRule.class, SplitRule::parse);
    text(module, UserSample.class, UserSample::parse);
    return module;
  }

  private static <T> void text(SimpleModule module, Class<T> type, Function<String, T> parse) {
    module.addSerializer(type, new ToStringSerializer(type));
    module.addDeserializer(
        type,
        new StdScalarDeserializer<T>(type) {
          private static final long serialVersionUID = 1L;

          @Override
          public T deserialize(JsonParser parser, DeserializationContext context)
              throws IOException {
            try {
              return parse.apply(parser.getText());
            } catch (RuntimeException e) {
              return type.cast(
                  context.handleWeirdStringValue(type, parser.getText(), "%s", e.getMessage()));
            }
          }
        });
  }

  /** A reader of null as infinity, which the numbers of plans may be. */
  private static final class InfinityForNull extends StdScalarDeserializer<Double> {
    private static final long serialVersionUID = 1L;

    InfinityForNull() {
      super(Double.TYPE);
    }

    @Override
    public Double deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parser.getDoubleValue();
    }

    @Override
    public Double getNullValue(DeserializationContext context) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** A writer of null for the numbers that JSON does not have. */
  private static final class FiniteNumbers extends JsonGeneratorDelegate {
    FiniteNumbers(JsonGenerator generator) {
      super(generator);
    }

    @Override
    public void writeNumber(double value) throws IOException {
      if (Double.isFinite(value)) {
        super.writeNumber(value);
      } else {
        writeNull();
      }
    }

    @Override
    public void writeNumber(float value) throws IOException {
      if (Float.isFinite(value)) {
        super.writeNumber(value);
      } else {
        writeNull();
      }
    }

    @Override
    public void writeArray(double[] values, int offset, int length) throws IOException {
      writeStartArray(values, length);
      for (int k = offset; k < offset + length; k++) {
        writeNumber(values[k]);
      }
      writeEndArray();
    }
  }

  /** The names of the constants of choices, and the values that may be missing. */
  private static final class ChoiceNames extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public String[] findEnumValues(
        MapperConfig<?> config, AnnotatedClass type, Enum<?>[] constants, String[] names) {
      for (int k = 0; k < constants.length; k++) {
        names[k] = Choices.nameOf(constants[k]);
      }
      return names;
    }

    @Override
    public @Nullable Object findDeserializer(Annotated annotated) {
      return annotated instanceof AnnotatedParameter component
              && component.getDeclaringClass() == LeastSquaresPlan.class
              && component.getRawType() == Double.TYPE
          ? new InfinityForNull()
          : super.findDeserializer(annotated);
    }

    /** Metrics of plugins are none where a record was made before there were any. */
    @Override
    public JsonSetter.Value findSetterInfo(Annotated annotated) {
      return annotated instanceof AnnotatedParameter component
              && component.getDeclaringClass() == EvaluationRequest.class
              && component.getRawType() == List.class
          ? JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)
          : super.findSetterInfo(annotated);
    }
  }
}
