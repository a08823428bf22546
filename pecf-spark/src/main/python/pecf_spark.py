"""PECF on Spark for Python: the estimator Pecf and its model, over the classes of the assembly jar."""
import sys
from contextlib import contextmanager

from py4j.protocol import Py4JJavaError
from pyspark import keyword_only
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import JavaMLReadable, JavaMLReader, JavaMLWritable, JavaMLWriter
from pyspark.ml.wrapper import JavaEstimator, JavaModel
from pyspark.sql import DataFrame

_TEXT = TypeConverters.toString
_WHOLE = TypeConverters.toInt
_NUMBER = TypeConverters.toFloat

# Converter, default and description of each parameter: those of the classes in Java.
_COLUMNS = {
    "userCol": (_TEXT, "user", "the column of users: whole numbers"),
    "itemCol": (_TEXT, "item", "the column of items: whole numbers"),
    "predictionCol": (_TEXT, "prediction", "the column of predictions"),
    "coldStartStrategy": (
        _TEXT, "nan",
        "how unknown users and items are predicted: nan, or drop to leave out their rows"),
}
_SETTINGS = {
    "ratingCol": (_TEXT, "", "the column of ratings; empty if every row is a positive"),
    "positive": (_TEXT, "all", "the rule by which ratings are positives: >=4, >3.5, =5, all"),
    "rank": (_WHOLE, 50, "the number of factors"),
    "rounds": (_WHOLE, 4, "the number of members added to the first"),
    "iterations": (_WHOLE, 8, "the sweeps of a member"),
    "lambda": (_NUMBER, 4.0, "the penalty of users and items"),
    "frequencyExponent": (
        _NUMBER, 1.0,
        "a row's penalty grows with its weight to this power; the mean stays lambda"),
    "deviation": (_NUMBER, 0.1, "the standard deviation of the random start"),
    "positiveWeight": (_NUMBER, 1.0, "the weight of positives"),
    "zeroWeight": (_NUMBER, 0.01, "the weight of zeros"),
    "construction": (
        _TEXT, "progressive", "how members come together: single, progressive or bagging"),
    "nu": (_NUMBER, 10.0, "how strongly well-predicted cells are weighed down"),
    "sigma": (_NUMBER, 1.0, "the error at which the weight starts to saturate"),
    "scaling": (_TEXT, "mean", "the scaling of weights: raw, unit or mean"),
    "hardZeros": (
        _TEXT, "auto",
        "whether all cells are scanned for zeros that are predicted badly: auto (up to 10^12"
        " cells), scan or none"),
    "weightError": (
        _NUMBER, 0.25, "the largest relative error of a zero's weight where cells are scanned"),
    "alpha": (_TEXT, "uniform", "how much a new member counts: uniform, dynamic or fixed:0.4"),
    "seed": (_WHOLE, 1, "the root of all randomness"),
    "numBlocks": (_WHOLE, 0, "the most blocks of a side; 0 for the default parallelism"),
    "checkpointInterval": (
        _WHOLE, 4, "the sweeps between checkpoints, where a checkpoint folder is set; 0 for none"),
}


class PecfError(ValueError):
    """A refusal, in the words of PECF: what, where, and how to correct it."""


# The refusals of PECF, and of Spark where a stage is stored.
_REFUSALS = ("org.pecf.api.PecfException", "java.io.IOException")


@contextmanager
def _refusals():
    """Raise what is refused as an error of Python."""
    try:
        yield
    except Py4JJavaError as error:
        refusal = error.java_exception
        if refusal.getClass().getName() not in _REFUSALS:
            raise
        raise PecfError(refusal.getMessage()) from None


def _with_params(params):
    """Give a class its parameters, and methods getX and setX for each."""

    def add(cls):
        cls._defaults = {name: default for name, (_, default, _) in params.items()}
        for name, (converter, _, doc) in params.items():
            setattr(cls, name, Param(Params._dummy(), name, doc, typeConverter=converter))
            accessor = name[0].upper() + name[1:]
            setattr(cls, "get" + accessor, lambda self, name=name: self.getOrDefault(name))
            setattr(
                cls, "set" + accessor, lambda self, value, name=name: self._set(**{name: value}))
        return cls

    return add


class _Reader(JavaMLReader):
    """A reader whose class in Java is that of the package org.pecf.spark."""

    @classmethod
    def _java_loader_class(cls, clazz):
        return "org.pecf.spark." + clazz.__name__

    def load(self, path):
        with _refusals():
            return super().load(path)


class _Writer(JavaMLWriter):
    def save(self, path):
        with _refusals():
            super().save(path)


class _Stage(JavaMLWritable, JavaMLReadable):
    @classmethod
    def read(cls):
        return _Reader(cls)

    def write(self):
        return _Writer(self)

    def _call_java(self, name, *args):
        with _refusals():
            return super()._call_java(name, *args)


@_with_params(_COLUMNS)
class PecfModel(_Stage, JavaModel):
    """A trained ensemble."""

    def __init__(self, java_model=None):
        super().__init__(java_model)
        self._setDefault(**self._defaults)

    def _transform(self, dataset):
        with _refusals():
            return super()._transform(dataset)

    @property
    def userFactors(self):
        """The id and the features of every user: the factors of all members, side by side."""
        return self._call_java("userFactors")

    @property
    def itemFactors(self):
        """The id and the features of every item: the factors of all members, side by side."""
        return self._call_java("itemFactors")

    @property
    def memberWeights(self):
        """The weight of each member in a prediction."""
        return list(self._call_java("memberWeights"))

    @property
    def reports(self):
        """How each member was trained, in words."""
        return [report.toString() for report in self._java_obj.reports()]

    def recommendForAllUsers(self, count):
        """Recommend the best items for every user; items that a user knows are not left out."""
        return self._call_java("recommendForAllUsers", _WHOLE(count))

    def recommendForAllItems(self, count):
        """Find the best users for every item; users who know it are not left out."""
        return self._call_java("recommendForAllItems", _WHOLE(count))

    def recommendForUserSubset(self, users: DataFrame, count):
        """Recommend the best items for the users of a dataset that the model knows."""
        return self._call_java("recommendForUserSubset", users, _WHOLE(count))

    def recommendForItemSubset(self, items: DataFrame, count):
        """Find the best users for the items of a dataset that the model knows."""
        return self._call_java("recommendForItemSubset", items, _WHOLE(count))

    def recommendUnknown(self, users: DataFrame, known: DataFrame, count):
        """Recommend the best items for users, leaving out the cells of another dataset."""
        return self._call_java("recommendUnknown", users, known, _WHOLE(count))

    def exportTo(self, folder, known: DataFrame):
        """Write the ordinary model folder, which pecf-run serves, to the driver's disk."""
        self._call_java("exportTo", folder, known)


@_with_params({**_COLUMNS, **_SETTINGS})
class Pecf(_Stage, JavaEstimator):
    """The estimator of an ensemble; the keyword of the parameter lambda is lambda_."""

    @keyword_only
    def __init__(self, **settings):
        super().__init__()
        self._java_obj = self._new_java_obj("org.pecf.spark.Pecf", self.uid)
        self._setDefault(**self._defaults)
        self.setParams(**self._input_kwargs)

    @keyword_only
    def setParams(self, **settings):
        """Set parameters by name."""
        return self._set(**{name.rstrip("_"): value for name, value in self._input_kwargs.items()})

    def _fit_java(self, dataset):
        with _refusals():
            return super()._fit_java(dataset)

    def _create_model(self, java_model):
        return PecfModel(java_model)


# Pipelines find a stage by the name of its class in Java.
sys.modules["org.pecf.spark"] = sys.modules[__name__]
