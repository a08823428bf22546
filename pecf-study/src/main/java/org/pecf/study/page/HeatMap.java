package org.pecf.study.page;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;

/**
 * A matrix in shades of one colour.
 *
 * @param title the words above the chart
 * @param note an explanation; may be empty
 * @param name the name of the values
 * @param rows the names of the rows
 * @param columns the names of the columns
 * @param values one row after the other
 * @param low the value without colour
 * @param high the value of full colour
 */
public record HeatMap(
    String title,
    String note,
    String name,
    List<String> rows,
    List<String> columns,
    double[][] values,
    double low,
    double high)
    implements Chart {
  public HeatMap {
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
  }

  @Override
  public String kind() {
    return "heat";
  }

  @Override
  @JsonIgnore
  public Table table() {
    List<String> heads = new ArrayList<>(List.of(name));
    heads.addAll(columns);
    List<List<String>> lines = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      List<String> line = new ArrayList<>(List.of(rows.get(i)));
      for (double value : values[i]) {
        line.add(Figure.of(value));
      }
      lines.add(line);
    }
    return Table.ofFigures(title, heads, lines);
  }
}
