/** Control tests for the receiver: it detects a delivery id used for two payloads, and shows every behaviour. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dice } from './dice.ts'
import { Receiver } from './receiver.ts'

/** A client without an answer gives up after a while. */
const PATIENCE_MS = 5_000

function tell(receiver: Receiver, id: string, body = '{}', event = 'push'): Promise<Response> {
  return fetch(receiver.urlOf('smith/forge'), {
    method: 'POST',
    headers: { 'x-gitea-delivery': id, 'x-gitea-event': event },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}

test('the same payload under one delivery id is one delivery; another payload under it is a fault', async () => {
  await using receiver = await Receiver.open(new Dice(1))
  receiver.mood = 'kind'
  for (const body of ['{"a":1}', '{"a":1}']) await tell(receiver, 'one', body)
  assert.deepEqual(receiver.faults, [])
  assert.deepEqual([receiver.told, receiver.counts], [1, { whole: 2, again: 1 }])
  await tell(receiver, 'one', '{"a":2}')
  await tell(receiver, 'one', '{"a":1}', 'create')
  assert.equal(receiver.faults.length, 2)
})

test('every behaviour occurs, and only deliveries that were answered have arrived', async () => {
  await using receiver = await Receiver.open(new Dice(1))
  const thanked: string[] = []
  for (let i = 0; receiver.unmet.length > 0; i++) {
    const text = await tell(receiver, `d${i}`).then(beginningOf, () => '')
    if (text === 'thanks') thanked.push(`d${i}`)
  }
  const arrived = receiver.heardAt('smith/forge').filter(({ isThanked }) => isThanked)
  // A client may have disconnected just before the answer came.
  assert.deepEqual(
    thanked.filter((id) => !arrived.some((it) => it.id === id)),
    [],
  )
  assert.ok(thanked.length > 0 && arrived.length <= receiver.met.thank)
  receiver.mood = 'gone'
  await assert.rejects(tell(receiver, 'late'))
  assert.equal(
    receiver.heardAt('smith/forge').some(({ id }) => id === 'late'),
    false,
  )
})

/** Some answers have no end, and are not awaited. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const read = await reader?.read()
  await reader?.cancel()
  return Buffer.from(read?.value ?? []).toString('utf8')
}
