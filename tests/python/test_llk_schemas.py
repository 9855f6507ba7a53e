"""lanewise._llk_schemas: what tt-llk's fused tests take from pydantic 2 (its documentation says what each of these does)."""

import enum
from typing import Annotated, ClassVar, List, Literal, Optional, Tuple, Union

import pytest

from lanewise._llk_schemas import BaseModel, Field, ValidationError, field_validator, model_validator


class Colour(enum.Enum):
    Red = "red"
    On = True


class Round(BaseModel):
    model_config = {"extra": "forbid"}
    kind: Literal["round"]
    radius: float = 1.0


class Square(BaseModel):
    kind: Literal["square"]
    sides: Annotated[List[int], Field(min_length=2, max_length=2)] = [1, 1]


class Base(BaseModel):
    model_config = {"extra": "forbid"}
    _known: ClassVar[set] = set()

    name: str = Field(..., min_length=1)
    colour: Colour = Colour.Red
    count: Annotated[int, Field(ge=1)] = 1

    @field_validator("name", mode="before")
    @classmethod
    def lower(cls, value):
        return value.lower()

    @field_validator("name")
    @classmethod
    def is_known(cls, value):
        if value not in cls._known:
            raise ValueError(f"unknown {value}")
        return value

    @model_validator(mode="after")
    def check(self):
        self.checked = self.limit()
        return self

    def limit(self):
        return 1


class Picture(Base):
    _known: ClassVar = {"a", "b"}
    size: Optional[Annotated[Tuple[int, int], Field(min_length=2)]] = None
    shapes: List[Annotated[Union[Round, Square], Field(discriminator="kind")]] = Field(default_factory=list)

    def limit(self):
        return self.count + 1


def test_values_are_converted_and_defaults_filled_in():
    picture = Picture.model_validate({"name": "A", "colour": True, "count": 4, "size": [2, 3],
                                      "shapes": [{"kind": "round", "radius": 2}, {"kind": "square"}]})
    assert (picture.name, picture.colour, picture.count, picture.size) == ("a", Colour.On, 4, (2, 3))
    assert isinstance(picture.shapes[0], Round) and isinstance(picture.shapes[0].radius, float)
    assert isinstance(picture.shapes[1], Square) and picture.shapes[1].sides == [1, 1]
    assert picture.checked == 5  # of the derived class, after all fields


def test_a_default_belongs_to_one_object():
    first, second = Square(kind="square"), Square(kind="square")
    first.sides.append(2)
    assert second.sides == [1, 1]
    assert Picture(name="b").shapes == []


@pytest.mark.parametrize("given, place, message", [
    ({}, ("name",), "Field required"),
    ({"name": ""}, ("name",), "at least 1"),
    ({"name": "c"}, ("name",), "Value error, unknown c"),
    ({"name": "a", "hue": 1}, ("hue",), "Extra inputs are not permitted"),
    ({"name": "a", "colour": "blue"}, ("colour",), "Input should be 'red' or True"),
    ({"name": "a", "colour": 1}, ("colour",), "Input should be"),
    ({"name": "a", "count": 0}, ("count",), "greater than or equal to 1"),
    ({"name": "a", "count": "1"}, ("count",), "valid int"),
    ({"name": "a", "size": [1]}, ("size",), "2 items"),
    ({"name": "a", "shapes": [{"kind": "round"}, {"kind": "oval"}]}, ("shapes", 1, "kind"), "'oval'"),
    ({"name": "a", "shapes": [{"kind": "square", "sides": [1, 2, 3]}]}, ("shapes", 0, "sides"), "at most 2"),
    ({"name": "a", "shapes": [{"kind": "round", "radius": "x"}]}, ("shapes", 0, "radius"), "valid float"),
])
def test_a_mistake_is_told_with_its_place(given, place, message):
    with pytest.raises(ValidationError) as caught:
        Picture.model_validate(given)
    (error,) = caught.value.errors()
    assert error["loc"] == place
    assert message in error["msg"]
