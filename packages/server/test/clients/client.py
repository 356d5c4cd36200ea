"""A client on Python's own HTTP, which looks header names up as the interface spells them.

Arguments: URL of the server, file of the trusted certificate, key, file of an image. Prints what it read as JSON.
"""

import base64
import http.client
import json
import ssl
import sys
from urllib.parse import urlsplit

url, ca, key, image = sys.argv[1:]
server = urlsplit(url)
connection = http.client.HTTPSConnection(
    server.hostname, server.port, context=ssl.create_default_context(cafile=ca)
)


def request(method, target, key, body=None, content_type=None):
    headers = {"Authorization": "Basic " + base64.b64encode(f"api:{key}".encode()).decode()}
    if content_type is not None:
        headers["Content-Type"] = content_type
    connection.request(method, urlsplit(target).path, body, headers)
    response = connection.getresponse()
    # A plain table: that of the response would not tell upper from lower case.
    return response.status, dict(response.getheaders()), response.read()


with open(image, "rb") as file:
    picture = file.read()
wrong, _, _ = request("POST", url + "/shrink", "wrong")
valid, validated, _ = request("POST", url + "/shrink", key)
created, upload, _ = request("POST", url + "/shrink", key, picture)
commands = json.dumps({"resize": {"method": "scale", "width": 60}})
found, resized, data = request("GET", upload["Location"], key, commands, "application/json")
print(
    json.dumps(
        {
            "statuses": [wrong, valid, created, found],
            "counts": [int(headers["Compression-Count"]) for headers in (validated, upload, resized)],
            "location": upload["Location"],
            "width": int(resized["Image-Width"]),
            "height": int(resized["Image-Height"]),
            "type": resized["Content-Type"],
            "size": int(resized["Content-Length"]),
            "bytes": len(data),
        }
    )
)
