"""Puts hostile texts into half of the bodies, queries and paths that schemathesis generates.

HOSTILE_TEXTS is a JSON list; the names of hooks are those of schemathesis. The last line says how many texts were drawn.
"""

import atexit
import json
import os

import schemathesis
from hypothesis import strategies as st

TEXTS = json.loads(os.environ["HOSTILE_TEXTS"])
drawn = {"count": 0}
atexit.register(lambda: print(f"Hostile texts: {drawn['count']}"))


def has_bytes(text):
    """Lone surrogates have no UTF-8, so they cannot be put into an address."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


ANY = st.sampled_from(TEXTS)
WHOLE = st.sampled_from([text for text in TEXTS if has_bytes(text)])


def list_strings(value, place=()):
    """Where the strings of a generated value are."""
    if isinstance(value, str):
        return [place]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in list_strings(item, (*place, key))]


def put(value, place, text):
    if not place:
        drawn["count"] += 1
        return text
    copy = value.copy()
    copy[place[0]] = put(value[place[0]], place[1:], text)
    return copy


def spoil(value, texts):
    """The value as it is, or with a hostile text in place of one of its strings."""
    places = list_strings(value)
    if not places:
        return st.just(value)
    spoiled = st.builds(lambda place, text: put(value, place, text), st.sampled_from(places), texts)
    return st.one_of(spoiled, st.just(value))


@schemathesis.hook
def flatmap_body(_context, body):
    return spoil(body, ANY)


@schemathesis.hook
def flatmap_query(_context, query):
    return spoil(query, WHOLE)


@schemathesis.hook
def flatmap_path_parameters(_context, path_parameters):
    return spoil(path_parameters, WHOLE)


# The coverage phase encodes what it draws for a format, and ends the operation at a lone surrogate.
for name in ("date", "date-time"):
    schemathesis.openapi.format(name, WHOLE)
