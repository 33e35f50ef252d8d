"""Applications that answer a request for /SECONDS after that many seconds."""
import asyncio
import time


def parse_seconds(path):
    return float(path.strip("/") or 0)


async def asgi(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    await asyncio.sleep(parse_seconds(scope["path"]))
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def wsgi(environ, start_response):
    time.sleep(parse_seconds(environ["PATH_INFO"]))
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]
