"""PECF on Spark for Python: the estimator Pecf and its model, over the classes of the assembly jar."""
from pyspark import keyword_only
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import JavaMLReadable, JavaMLWritable
from pyspark.ml.wrapper import JavaEstimator, JavaModel
from pyspark.sql import DataFrame

_TEXT = TypeConverters.toString
_WHOLE = TypeConverters.toInt
_NUMBER = TypeConverters.toFloat

_COLUMNS = {"userCol": _TEXT, "itemCol": _TEXT, "predictionCol": _TEXT, "coldStartStrategy": _TEXT}
_SETTINGS = {
    "ratingCol": _TEXT, "positive": _TEXT, "rank": _WHOLE, "rounds": _WHOLE, "iterations": _WHOLE,
    "lambda": _NUMBER, "frequencyExponent": _NUMBER, "deviation": _NUMBER, "positiveWeight": _NUMBER,
    "zeroWeight": _NUMBER, "construction": _TEXT, "nu": _NUMBER, "sigma": _NUMBER, "scaling": _TEXT,
    "hardZeros": _TEXT, "weightError": _NUMBER, "alpha": _TEXT, "seed": _WHOLE, "numBlocks": _WHOLE, "checkpointInterval": _WHOLE,
}


def _with_params(names):
    """Give a class its parameters, and a method setX for each."""

    def add(cls):
        for name, converter in names.items():
            setattr(cls, name, Param(Params._dummy(), name, name, typeConverter=converter))
            setter = "set" + name[0].upper() + name[1:]
            setattr(cls, setter, lambda self, value, name=name: self._set(**{name: value}))
        return cls

    return add


@_with_params(_COLUMNS)
class PecfModel(JavaModel, JavaMLWritable, JavaMLReadable):
    """A trained ensemble."""

    def recommendForAllUsers(self, count):
        return self._call_java("recommendForAllUsers", count)

    def recommendForAllItems(self, count):
        return self._call_java("recommendForAllItems", count)

    def recommendForUserSubset(self, users: DataFrame, count):
        return self._call_java("recommendForUserSubset", users, count)

    def recommendUnknown(self, users: DataFrame, known: DataFrame, count):
        return self._call_java("recommendUnknown", users, known, count)

    def exportTo(self, folder, known: DataFrame):
        self._call_java("exportTo", folder, known)


@_with_params({**_COLUMNS, **_SETTINGS})
class Pecf(JavaEstimator, JavaMLWritable, JavaMLReadable):
    """The estimator of an ensemble; the settings are those of docs/spark.md, by name."""

    @keyword_only
    def __init__(self, **settings):
        super().__init__()
        self._java_obj = self._new_java_obj("org.pecf.spark.Pecf", self.uid)
        self._set(**self._input_kwargs)

    def _create_model(self, java_model):
        return PecfModel(java_model)
