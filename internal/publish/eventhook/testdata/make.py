#!/usr/bin/env python3
"""Makes golden.json: signatures of Standard Webhooks, by another implementation than the one that is tested."""
import base64
import hashlib
import hmac
import json
import pathlib

vectors = []
for size in (24, 32, 64):
    key = bytes((7 * i + size) % 256 for i in range(size))
    for body in ('{"type":"blog.published"}', '{"title":"Wanderschuhe für <jeden> & alle – 靴"}', "x"):
        id, seconds = f"0198f0a1-b2c3-5d4e-95f6-{size:012d}", 1795176000 + size
        mac = hmac.new(key, f"{id}.{seconds}.{body}".encode(), hashlib.sha256).digest()
        vectors.append({
            "secret": "whsec_" + base64.b64encode(key).decode(), "id": id, "seconds": seconds, "body": body,
            "signature": "v1," + base64.b64encode(mac).decode(),
        })
path = pathlib.Path(__file__).with_name("golden.json")
path.write_text(json.dumps(vectors, indent=2, ensure_ascii=False) + "\n")
