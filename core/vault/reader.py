#!/usr/bin/env python3
"""Reads Holdfast vault objects. Written from FORMAT.md alone, as a second implementation of the format.

    reader.py key     MASTER_KEYS ORG WRAPPED VERSION MASTER_VERSION                      the organisation key in hexadecimal
    reader.py object  KEY VERSION ORG ITEM OBJECT KIND FILE     plain bytes to standard output
    reader.py pack    KEY VERSION ORG ITEM OBJECT FILE          the index of a record pack
    reader.py vault   KEY VERSION ORG ITEM FOLDER [MANIFEST]    every entry of the manifests of an item; all bytes checked
    reader.py vectors FILE                                      checks test-vectors.json

KEY is the organisation key in hexadecimal; FOLDER holds the item's objects, each file named by its object id.
"""
import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import zlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FRAME = 1048576
TAG = 16
HEADER = 72


class Damaged(Exception):
    """The bytes are not those that were written."""


def length_prefixed(*texts):
    encoded = [text.encode() for text in texts]
    return b"".join(struct.pack(">I", len(each)) + each for each in encoded)


def hkdf(key, salt, info, length):
    secret = hmac.new(salt, key, hashlib.sha256).digest()
    block, output, number = b"", b"", 1
    while len(output) < length:
        block = hmac.new(secret, block + info + bytes([number]), hashlib.sha256).digest()
        output, number = output + block, number + 1
    return output[:length]


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def open_sealed(key, context, sealed):
    """Plain bytes of what is stored as nonce, ciphertext and tag in base64url."""
    raw = from_base64url(sealed)
    try:
        return AESGCM(key).decrypt(raw[:12], raw[12:], context)
    except (InvalidTag, ValueError):
        raise Damaged("the sealed bytes do not open under this key and purpose") from None


def organisation_key(master_keys, organisation, wrapped, version, master_version):
    """The key of an organisation, opened with the master key that wrapped it."""
    ring = dict(part.strip().split(":") for part in master_keys.split(","))
    if str(master_version) not in ring:
        raise Damaged(f"master key {master_version} is not given")
    context = length_prefixed("organisation-key", organisation, str(version), str(master_version))
    return open_sealed(from_base64url(ring[str(master_version)]), context, wrapped)


def open_secret(key, key_version, purpose, owner, sealed):
    """A secret that was sealed with an organisation key."""
    if not sealed.startswith("s1."):
        raise Damaged("the sealed secret has an unknown form")
    return open_sealed(key, length_prefixed("secret", purpose, owner, str(key_version)), sealed[3:]).decode()


def open_object(key, version, organisation, item, object_id, kind, stored):
    """Plain bytes of a stored object."""
    if len(stored) < HEADER + TAG or stored[:4] != b"HFV1":
        raise Damaged("not an HFV1 object")
    if struct.unpack(">I", stored[4:8])[0] != version:
        raise Damaged("written with another version of the organisation key")
    info = length_prefixed(organisation, item, object_id, kind, "HFV1")
    derived = hkdf(key, stored[8:40], info, 64)
    if not hmac.compare_digest(derived[32:], stored[40:72]):
        raise Damaged("written with another key or under another name")
    cipher = AESGCM(derived[:32])
    plain = []
    frames = -(-(len(stored) - HEADER) // (FRAME + TAG))
    for index in range(frames):
        start = HEADER + index * (FRAME + TAG)
        frame = stored[start : start + FRAME + TAG]
        is_last = index == frames - 1
        if len(frame) < TAG or (is_last and index > 0 and len(frame) == TAG):
            raise Damaged("cut off")
        nonce = index.to_bytes(11, "big") + bytes([1 if is_last else 0])
        try:
            plain.append(cipher.decrypt(nonce, frame, None))
        except InvalidTag:
            raise Damaged(f"frame {index} does not open") from None
    return b"".join(plain)


def pack_index(pack):
    """Rows (type, method, offset, length, size, hash) of a record pack."""
    count, magic = struct.unpack(">I4s", pack[-8:])
    if magic != b"HFP1":
        raise Damaged("not a record pack")
    start = len(pack) - 8 - 48 * count
    rows = []
    for at in range(start, len(pack) - 8, 48):
        kind, method, _, offset, length, size, digest = struct.unpack(">BBHIII32s", pack[at : at + 48])
        rows.append((kind, method, offset, length, size, digest.hex()))
    return rows


def open_blob(pack, method, offset, length, digest):
    stored = pack[offset : offset + length]
    plain = zlib.decompress(stored, -15) if method == 8 else stored
    if hashlib.sha256(plain).hexdigest() != digest:
        raise Damaged("a blob does not have its hash")
    return plain


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class Vault:
    """The objects of one item in a folder."""

    def __init__(self, key, version, organisation, item, folder):
        self.names = (key, version, organisation, item)
        self.folder = folder
        self.packs = {}

    def read(self, object_id, kind):
        with open(os.path.join(self.folder, object_id), "rb") as file:
            return open_object(*self.names, object_id, kind, file.read())

    def blob(self, where, digest):
        if where["object"] not in self.packs:
            self.packs[where["object"]] = self.read(where["object"], "pack")
        pack = self.packs[where["object"]]
        return open_blob(pack, where["method"], where["offset"], where["length"], digest)

    def roots(self):
        """Every manifest root of the item with its id; packs are found by trying."""
        for name in sorted(os.listdir(self.folder)):
            try:
                pack = self.read(name, "pack")
            except Damaged:
                continue
            for kind, method, offset, length, _, digest in pack_index(pack):
                if kind == 3:
                    root = json.loads(open_blob(pack, method, offset, length, digest))
                    bare = [{k: v for k, v in chunk.items() if k != "blob"} for chunk in root["chunks"]]
                    yield hashlib.sha256(canonical({**root, "chunks": bare})).hexdigest(), root

    def entries(self, root):
        """Every entry of a manifest with its plain bytes, all hashes checked."""
        if root["format"] != "holdfast-manifest" or root["version"] != 1:
            raise Damaged("unknown manifest format")
        last = b""
        for chunk in root["chunks"]:
            lines = self.blob(chunk["blob"], chunk["blob"]["hash"]).decode().split("\n")[:-1]
            entries = [json.loads(line) for line in lines]
            bare = [{k: v for k, v in entry.items() if k != "where"} for entry in entries]
            if hashlib.sha256(b"".join(canonical(e) + b"\n" for e in bare)).hexdigest() != chunk["id"]:
                raise Damaged("a chunk does not have its id")
            for entry in entries:
                if entry["path"].encode() <= last:
                    raise Damaged("entries are out of order")
                last = entry["path"].encode()
                if entry["type"] == "record":
                    plain = self.blob(entry["where"], entry["hash"])
                else:
                    plain = self.read(entry["where"]["object"], "stream")
                if hashlib.sha256(plain).hexdigest() != entry["hash"] or zlib.crc32(plain) != entry["crc32"]:
                    raise Damaged(f"{entry['path']} does not have its hash")
                if len(plain) != entry["sizeBytes"]:
                    raise Damaged(f"{entry['path']} does not have its size")
                yield entry


def print_vault(vault, wanted):
    found = False
    for manifest, root in vault.roots():
        if wanted and manifest != wanted:
            continue
        found = True
        entries = list(vault.entries(root))
        for entry in entries:
            print(json.dumps([entry["path"], entry["type"], entry["sizeBytes"], entry["hash"]]))
        if len(entries) != root["entryCount"]:
            raise Damaged("the manifest does not have its number of entries")
        print(json.dumps({"manifest": manifest, "entries": len(entries), "completeness": root["completeness"]}))
    if wanted and not found:
        raise Damaged(f"no manifest {wanted}")


def check_vectors(path):
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)
    for vector in vectors["keys"]:
        names = [vector[name] for name in ("organisationId", "wrapped", "version", "masterVersion")]
        if organisation_key(vectors["masterKeys"], *names).hex() != vector["organisationKey"]:
            raise Damaged(f"{vector['name']}: another key is opened")
        print(f"{vector['name']}: agrees")
    for vector in vectors["secrets"]:
        names = [vector[name] for name in ("keyVersion", "purpose", "ownerId", "sealed")]
        if open_secret(bytes.fromhex(vector["organisationKey"]), *names) != vector["plain"]:
            raise Damaged(f"{vector['name']}: another text is opened")
        print(f"{vector['name']}: agrees")
    for vector in vectors["objects"]:
        plain = bytes([vector["byte"]]) * vector["sizeBytes"] if "byte" in vector else vector["text"].encode()
        key = bytes.fromhex(vector["organisationKey"])
        names = [vector[name] for name in ("keyVersion", "organisationId", "itemId", "objectId", "kind")]
        info = length_prefixed(*names[1:], "HFV1")
        derived = hkdf(key, bytes.fromhex(vector["salt"]), info, 64)
        if derived.hex() != vector["objectKey"] + vector["commitment"]:
            raise Damaged(f"{vector['name']}: another key is derived")
        # A second writer: the stored bytes must come out equal, and must open again.
        stored = b"HFV1" + struct.pack(">I", names[0]) + bytes.fromhex(vector["salt"]) + derived[32:]
        pieces = [plain[at : at + FRAME] for at in range(0, len(plain), FRAME)] or [b""]
        for index, piece in enumerate(pieces):
            nonce = index.to_bytes(11, "big") + bytes([index == len(pieces) - 1])
            stored += AESGCM(derived[:32]).encrypt(nonce, piece, None)
        if len(stored) != vector["storedBytes"] or hashlib.sha256(stored).hexdigest() != vector["storedHash"]:
            raise Damaged(f"{vector['name']}: other bytes are written")
        if "stored" in vector and stored.hex() != vector["stored"]:
            raise Damaged(f"{vector['name']}: other bytes are written")
        if open_object(key, *names, stored) != plain:
            raise Damaged(f"{vector['name']}: other bytes are read")
        print(f"{vector['name']}: agrees")


def main(arguments):
    command = arguments[0] if arguments else ""
    if command == "vectors":
        return check_vectors(arguments[1])
    if command == "key":
        return print(organisation_key(*arguments[1:]).hex())
    key, version = bytes.fromhex(arguments[1]), int(arguments[2])
    if command == "object":
        organisation, item, object_id, kind, path = arguments[3:]
        with open(path, "rb") as file:
            sys.stdout.buffer.write(open_object(key, version, organisation, item, object_id, kind, file.read()))
    elif command == "pack":
        organisation, item, object_id, path = arguments[3:]
        with open(path, "rb") as file:
            pack = open_object(key, version, organisation, item, object_id, "pack", file.read())
        for row in pack_index(pack):
            open_blob(pack, row[1], row[2], row[3], row[5])
            print(json.dumps(row))
    elif command == "vault":
        organisation, item, folder = arguments[3:6]
        print_vault(Vault(key, version, organisation, item, folder), arguments[6] if len(arguments) > 6 else None)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Damaged as damage:
        sys.exit(f"damaged: {damage}")
