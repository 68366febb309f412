"""What exports wrote, read back without the code that wrote it: TensorBoard's records and wandb's log of offline runs."""

from __future__ import annotations

import json
import struct

import numpy as np

BLOCK = 32768  # of wandb's file, which has the layout of LevelDB's log
WHOLE, LAST = 1, 4  # kinds of a piece that end a record


def read_tensorboard(folder):
    """(name, step, number) of every scalar in the folder's one event file, in order; checksums are checked."""
    from tensorboardX.proto.event_pb2 import Event

    (path,) = folder.glob("events.out.tfevents.*")
    data, place, found = path.read_bytes(), 0, []
    while place < len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        payload = data[place + 12 : place + 12 + length]
        assert struct.unpack_from("<I", data, place + 8)[0] == masked_crc(data[place : place + 8])
        assert struct.unpack_from("<I", data, place + 12 + length)[0] == masked_crc(payload)
        event = Event.FromString(payload)
        found += [(value.tag, event.step, np.float32(value.simple_value)) for value in event.summary.value]
        place += length + 16
    return found


def masked_crc(data):
    """CRC-32C, bit by bit, turned as TFRecord has it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def read_wandb(folder):
    """(step, {name: number}) of every row of the folder's offline runs, the oldest first."""
    files = sorted(folder.glob("wandb/offline-run-*/*.wandb"))
    return [row for path in files for row in _rows(path.read_bytes())]


def _rows(data):
    from wandb.proto.wandb_internal_pb2 import Record

    for payload in _records(data):
        record = Record.FromString(payload)
        if record.HasField("history"):
            items = {item.key or item.nested_key[0]: json.loads(item.value_json) for item in record.history.item}
            yield record.history.step.num, {name: value for name, value in items.items() if not name.startswith("_")}


def _records(data):
    place, record = 7, b""
    while place < len(data):
        if BLOCK - place % BLOCK < 7:
            place += BLOCK - place % BLOCK
            continue
        _, length, kind = struct.unpack_from("<IHB", data, place)
        record += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (WHOLE, LAST):
            yield record
            record = b""
