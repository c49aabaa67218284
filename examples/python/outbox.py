"""Pays an order and tells others, in one transaction:  python3 outbox.py ORDER

With a second argument, the id of a message, it is a receiver: it bills the order, the first time it gets that message.
Needs Python 3.9 or later, the package pg8000 (any other driver will do), and a database with an outbox at DATABASE_URL.
"""
import json
import os
import sys
from urllib.parse import urlsplit

import pg8000.native


def pay(database, order):
    database.run("insert into orders values (:o, 'paid') on conflict (id) do update set state = 'paid'", o=order)
    told = database.run(
        "select semel.append(topic => 'orders', key => :key, type => 'order.paid', payload => :payload,"
        " headers => cast(:headers as jsonb))",
        key=order, payload=json.dumps({"order": order}).encode(), headers='{"content-type": "application/json"}')
    return told[0][0]


def bill(database, order, message_id):
    [[first]] = database.run("select semel.first_time(consumer => 'billing', message_id => :id)", id=message_id)
    if first:
        database.run("insert into bills values (:o)", o=order)
    return "billed" if first else "had it already"


url = urlsplit(os.environ["DATABASE_URL"])
database = pg8000.native.Connection(url.username, host=url.hostname, port=url.port, database=url.path[1:])
try:
    database.run("begin")
    said = bill(database, *sys.argv[1:]) if len(sys.argv) > 2 else pay(database, sys.argv[1])
    database.run("commit")
    print(said)  # acknowledge the message to the broker now, and not before
finally:
    database.close()  # what is not committed is rolled back
