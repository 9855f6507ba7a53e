"""What tt-llk's fused tests take from pydantic 2, for systems that have none or an older one: classes whose annotations say what a
YAML file may hold. A stand-in only where stand_in_for_pydantic() finds no pydantic 2.

It has BaseModel, Field (default, default_factory, ge, min_length, max_length, discriminator), ConfigDict(extra="forbid"),
field_validator, model_validator(mode="after") and ValidationError, which tells the first mistake, not all. Types are those of the tests:
numbers, texts, enumerations, Literal, Optional, Union, List, Tuple, Annotated, and other models.
"""

import copy
import enum
import importlib.metadata
import sys
import types
import typing

REQUIRED = ...


class ValidationError(ValueError):
    def __init__(self, message, given, place=()):
        super().__init__(message)
        self.message, self.given, self.place = message, given, tuple(place)

    def at(self, step):
        return ValidationError(self.message, self.given, (step, *self.place))

    def errors(self):
        return [{"loc": self.place, "msg": self.message, "input": self.given}]

    def __str__(self):
        return f"{'.'.join(map(str, self.place))}: {self.message}"


class Field:
    def __init__(self, default=REQUIRED, *, default_factory=None, ge=None, min_length=None, max_length=None, discriminator=None):
        self.default, self.default_factory = default, default_factory
        self.ge, self.min_length, self.max_length, self.discriminator = ge, min_length, max_length, discriminator

    def value(self):
        return self.default_factory() if self.default_factory else copy.deepcopy(self.default)

    def check(self, value):
        if self.ge is not None and value < self.ge:
            raise ValidationError(f"Input should be greater than or equal to {self.ge}", value)
        if self.min_length is not None and len(value) < self.min_length:
            raise ValidationError(f"Value should have at least {self.min_length} items", value)
        if self.max_length is not None and len(value) > self.max_length:
            raise ValidationError(f"Value should have at most {self.max_length} items", value)


def field_validator(*names, mode="after"):
    def decorate(method):
        method.__func__.lanewise_validates = (names, mode)
        return method

    return decorate


def model_validator(*, mode):
    def decorate(method):
        method.lanewise_validates_model = mode
        return method

    return decorate


def converted(kind, value, constraint=None):
    """The value as an annotation wants it."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        kind, field = inner[0], next((each for each in inner[1:] if isinstance(each, Field)), None)
        result = converted(kind, value, field)
        if field is not None:
            field.check(result)
        return result
    if origin is typing.Union:
        return of_union(inner, value, constraint)
    if origin in (list, tuple):
        if not isinstance(value, (list, tuple)):
            raise ValidationError(f"Input should be a valid {origin.__name__}", value)
        if origin is tuple and len(value) != len(inner):
            raise ValidationError(f"Input should have {len(inner)} items", value)
        kinds = inner if origin is tuple else inner * len(value)
        return origin(step_into(at, each, item) for at, (each, item) in enumerate(zip(kinds, value)))
    if origin is typing.Literal:
        if value not in inner:
            raise ValidationError(f"Input should be {' or '.join(map(repr, inner))}", value)
        return value
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return of_enumeration(kind, value)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return value if isinstance(value, kind) else kind.model_validate(value)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and not isinstance(value, kind):
        raise ValidationError(f"Input should be a valid {kind.__name__}", value)
    return value


def step_into(step, kind, value):
    try:
        return converted(kind, value)
    except ValidationError as error:
        raise error.at(step) from None


def of_union(kinds, value, field):
    if value is None and type(None) in kinds:
        return None
    if field is not None and field.discriminator is not None:
        name = field.discriminator
        given = value.get(name) if isinstance(value, dict) else None
        kinds = [kind for kind in kinds if given in typing.get_args(typing.get_type_hints(kind)[name])]
        if not kinds:
            raise ValidationError(f"Input tag {given!r} is none of those expected", value, (name,))
    failures = []
    for kind in kinds:
        try:
            return converted(kind, value)
        except ValidationError as error:
            failures.append(error)
    raise failures[0]


def of_enumeration(kind, value):
    if isinstance(value, kind):
        return value
    for member in kind:
        if type(member.value) is type(value) and member.value == value:
            return member
    raise ValidationError(f"Input should be {' or '.join(repr(member.value) for member in kind)}", value)


class BaseModel:
    model_config: typing.ClassVar[dict] = {}

    @classmethod
    def model_validate(cls, data):
        if not isinstance(data, dict):
            raise ValidationError("Input should be a valid dictionary", data)
        return cls(**data)

    @classmethod
    def lanewise_fields(cls):
        """By name: the annotation, and what stands behind it."""
        hints = typing.get_type_hints(cls, include_extras=True)
        return {name: (kind, field if isinstance(field := getattr(cls, name, REQUIRED), Field) else Field(field))
                for name, kind in hints.items() if typing.get_origin(kind) is not typing.ClassVar and kind is not typing.ClassVar}

    def __init__(self, **data):
        cls = type(self)
        fields = cls.lanewise_fields()
        for name in data:
            if name not in fields and cls.model_config.get("extra") == "forbid":
                raise ValidationError("Extra inputs are not permitted", data[name], (name,))
        for name, (kind, field) in fields.items():
            try:
                setattr(self, name, cls._field(name, kind, field, data))
            except ValidationError as error:
                raise error.at(name) from None
            except (ValueError, AssertionError) as error:
                raise ValidationError(f"Value error, {error}", data.get(name), (name,)) from None
        for method in methods(cls, "lanewise_validates_model"):
            try:
                method(self)
            except ValidationError:
                raise
            except (ValueError, AssertionError) as error:
                raise ValidationError(f"Value error, {error}", data) from None

    @classmethod
    def _field(cls, name, kind, field, data):
        if name not in data:
            value = field.value()
            if value is REQUIRED:
                raise ValidationError("Field required", data)
            return value
        validators = {"before": [], "after": []}
        for method in methods(cls, "lanewise_validates"):
            names, mode = method.lanewise_validates
            if name in names:
                validators[mode].append(method)
        value = data[name]
        for method in validators["before"]:
            value = method(cls, value)
        value = converted(kind, value)
        field.check(value)
        for method in validators["after"]:
            value = method(cls, value)
        return value


def methods(cls, mark):
    """Those that a decorator has marked, of the class and of those below, each as its last definition is."""
    found = {}
    for each in reversed(cls.__mro__):
        for name, member in vars(each).items():
            function = getattr(member, "__func__", member)
            if hasattr(function, mark):
                found[name] = function
    return found.values()


def mend_defaults():
    """Fused tests have an object of a class without a hash as the default of a dataclass, which Python refuses from 3.11 on."""
    try:
        from helpers.tile_shape import TileShape
    except ImportError:
        return  # of a tree that has no such class
    if TileShape.__hash__ is None:
        TileShape.__hash__ = lambda shape: hash(tuple(vars(shape).values()))


def stand_in_for_pydantic():
    """Puts a module into sys.modules. False where pydantic 2 is there."""
    try:
        if int(importlib.metadata.version("pydantic").split(".")[0]) >= 2:
            return False
    except importlib.metadata.PackageNotFoundError:
        pass
    module = types.ModuleType("pydantic")
    for name, value in {"BaseModel": BaseModel, "ConfigDict": dict, "Field": Field, "ValidationError": ValidationError,
                        "field_validator": field_validator, "model_validator": model_validator}.items():
        setattr(module, name, value)
    sys.modules["pydantic"] = module
    return True
