"""Pays an order and tells others, in one transaction:  python3 outbox.py ORDER

With a second argument, the id of a message, it is a receiver: it bills the order, the first time it gets that message.
Needs Python 3.9 or later, the package psycopg2 (any other driver will do), and a database with an outbox at DATABASE_URL.
"""
import json
import os
import sys

import psycopg2


def pay(cursor, order):
    cursor.execute("insert into orders values (%s, 'paid') on conflict (id) do update set state = 'paid'", [order])
    cursor.execute(
        "select semel.append(topic => 'orders', key => %s, type => 'order.paid', payload => %s, headers => %s::jsonb)",
        [order, json.dumps({"order": order}).encode(), '{"content-type": "application/json"}'])
    return cursor.fetchone()[0]


def bill(cursor, order, message_id):
    cursor.execute("select semel.first_time(consumer => 'billing', message_id => %s)", [message_id])
    first = cursor.fetchone()[0]
    if first:
        cursor.execute("insert into bills values (%s)", [order])
    return "billed" if first else "had it already"


database = psycopg2.connect(os.environ["DATABASE_URL"])
try:
    with database, database.cursor() as cursor:  # a transaction: committed at the end, rolled back after an error
        said = bill(cursor, *sys.argv[1:]) if len(sys.argv) > 2 else pay(cursor, sys.argv[1])
    print(said)  # acknowledge the message to the broker now, and not before
finally:
    database.close()
