"""Charges a card once, however often and in however many processes it is run:  python3 once.py KEY AMOUNT

Needs Python 3.9 or later and nothing else, a gateway at SEMEL_URL (with SEMEL_SERVICE_TOKEN where it asks for one), and a
payment service at PAYMENTS_URL that charges whenever it is asked.
"""
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request

SEMEL = os.environ.get("SEMEL_URL", "http://127.0.0.1:8080")
PAYMENTS = os.environ.get("PAYMENTS_URL", "http://127.0.0.1:9000")
TOKEN = os.environ.get("SEMEL_SERVICE_TOKEN")


class NotRun(Exception):
    """This call did not run the operation. The problem says why, and what to do."""

    def __init__(self, problem):
        super().__init__(problem.get("detail", problem))
        self.type = problem.get("type", "").removeprefix("urn:semel:problem:")
        self.retry = problem.get("retry")


class OutcomeUnknown(Exception):
    """It may or may not have run. Find out before anybody runs it with another key."""


def call(method, path, body):
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = "Bearer " + TOKEN
    request = urllib.request.Request(SEMEL + path, json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=70) as answer:
            return answer.status, answer.headers, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, json.load(refused)


def insist(method, path, body):
    """Says it again as long as nobody answers, or the answer says that it helps."""
    while True:
        try:
            status, headers, answer = call(method, path, body)
        except (OSError, ValueError):
            pause = 1  # Claims and words about them may be repeated: nothing runs twice for it.
        else:
            if "Retry-After" not in headers:
                return status, answer
            pause = int(headers["Retry-After"])
        time.sleep(pause)


def once(operation, key, payload, run):
    """Runs the operation if nobody has, and gives the outcome of the one time that it ran."""
    order = {"operation": operation, "key": key, "payload": payload, "lease": "10s", "wait": "10s"}
    status, claim = insist("POST", "/.semel/v1/claims", order)
    if status == 200:
        return claim["outcome"]
    if status == 409:
        raise OutcomeUnknown(claim["detail"])
    if status != 201:
        raise NotRun(claim)
    here, token = "/.semel/v1/claims/" + claim["id"], claim["token"]
    with kept_alive(here, token):
        try:
            outcome = run(token)
        except Exception as failure:
            # Where it is known that nothing was sent, release it instead: DELETE here?token=…
            insist("POST", here + "/doubt", {"token": token, "reason": str(failure)[:500] or "it failed"})
            raise OutcomeUnknown(str(failure)) from failure
        status, told = insist("PUT", here + "/outcome", {"token": token, "outcome": outcome, "retention": "24h"})
    if status != 200:
        raise OutcomeUnknown(told["detail"])
    return outcome


class kept_alive:
    """Renews the lease every three seconds while the operation runs."""

    def __init__(self, here, token):
        self.here, self.token, self.over = here, token, threading.Event()

    def renew(self):
        while not self.over.wait(3):
            try:
                call("POST", self.here + "/renew", {"token": self.token, "lease": "10s"})
            except (OSError, ValueError):
                pass  # The next one may get through; the outcome counts even if none does.

    def __enter__(self):
        threading.Thread(target=self.renew, daemon=True).start()

    def __exit__(self, *failure):
        self.over.set()


def main(key, amount):
    order = {"amount": int(amount), "currency": "eur", "customer": "c_1"}

    def charge(token):
        headers = {"Content-Type": "application/json", "Idempotency-Key": key, "Semel-Fencing-Token": str(token)}
        request = urllib.request.Request(PAYMENTS + "/v1/charges", json.dumps(order).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return {"status": answer.status, "charge": json.load(answer)}
        except urllib.error.HTTPError as refused:
            if refused.code >= 500:
                raise  # It may have happened all the same.
            return {"status": refused.code, "charge": json.load(refused)}

    return once("charge", key, order, charge)


if __name__ == "__main__":
    try:
        print(json.dumps(main(*sys.argv[1:]), separators=(",", ":")))
    except (NotRun, OutcomeUnknown) as told:
        sys.exit(f"{type(told).__name__}: {told}")
