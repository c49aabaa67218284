// Pays an order and tells others, in one transaction:  node outbox.mjs ORDER
// With a second argument, the id of a message, it is a receiver: it bills the order, the first time it gets that message.
// Needs the package 'pg', and a database with an outbox at DATABASE_URL.
import { createRequire } from 'node:module'

const pg = createRequire(process.cwd() + '/')('pg')
const [order, messageId] = process.argv.slice(2)
const database = new pg.Client({ connectionString: process.env.DATABASE_URL })

async function pay() {
  await database.query("insert into orders values ($1, 'paid') on conflict (id) do update set state = 'paid'", [order])
  const told = await database.query(
    'select semel.append(topic => $1, key => $2, type => $3, payload => $4, headers => $5) as id',
    ['orders', order, 'order.paid', Buffer.from(JSON.stringify({ order })), { 'content-type': 'application/json' }])
  return told.rows[0].id
}

async function bill() {
  const { rows } = await database.query('select semel.first_time(consumer => $1, message_id => $2) as first', ['billing', messageId])
  if (rows[0].first) await database.query('insert into bills values ($1)', [order])
  return rows[0].first ? 'billed' : 'had it already'
}

await database.connect()
try {
  await database.query('begin')
  const said = messageId ? await bill() : await pay()
  await database.query('commit')
  console.log(said) // acknowledge the message to the broker now, and not before
} finally {
  await database.end() // what is not committed is rolled back
}
