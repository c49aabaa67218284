// Charges a card once, however often and in however many processes it is run:  node once.mjs KEY AMOUNT
// Needs Node 18 or later, a gateway at SEMEL_URL, and a payment service at PAYMENTS_URL that charges whenever it is asked.
import { setTimeout as pause } from 'node:timers/promises'

const semel = process.env.SEMEL_URL ?? 'http://127.0.0.1:8080'
const payments = process.env.PAYMENTS_URL ?? 'http://127.0.0.1:9000'

async function call(method, path, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(semel + path, { method, headers, body: JSON.stringify(body) })
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), json: await answer.json() }
}

/** Asks again as long as the answer says that it helps. */
async function insist(method, path, body) {
  for (;;) {
    const answer = await call(method, path, body).catch(unreachable => ({ retryAfter: 1, unreachable }))
    if (!answer.retryAfter) return answer
    await pause(answer.retryAfter * 1000)
  }
}

/** Runs the operation if nobody has, and gives the outcome of the one time that it ran. */
async function once(operation, key, payload, run) {
  const claim = await insist('POST', '/.semel/v1/claims', { operation, key, payload, lease: '10s', wait: '10s' })
  if (claim.status === 200) return claim.json.outcome
  if (claim.status !== 201) throw new Error(claim.json.detail)
  const { id, token } = claim.json
  const say = (method, word, more) => insist(method, `/.semel/v1/claims/${id}/${word}`, { token, ...more })

  const alive = setInterval(() => call('POST', `/.semel/v1/claims/${id}/renew`, { token, lease: '10s' }).catch(() => {}), 3000)
  try {
    const outcome = await run(token)
    const told = await say('PUT', 'outcome', { outcome, retention: '24h' })
    if (told.status !== 200) throw new Error(told.json.detail)
    return outcome
  } catch (failure) {
    await say('POST', 'doubt', { reason: String(failure.message).slice(0, 500) || 'it failed' })
    throw failure
  } finally {
    clearInterval(alive)
  }
}

const [key, amount] = process.argv.slice(2)
const order = { amount: Number(amount), currency: 'eur', customer: 'c_1' }
const charge = await once('charge', key, order, async token => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key, 'Semel-Fencing-Token': String(token) }
  const answer = await fetch(payments + '/v1/charges', { method: 'POST', headers, body: JSON.stringify(order) })
  return { status: answer.status, charge: await answer.json() }
})
console.log(JSON.stringify(charge))
