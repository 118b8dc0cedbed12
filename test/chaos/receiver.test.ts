/** The control for the receiver: it sees a name that stands for two things, and it meets people in every manner. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Dice } from './dice.ts'
import { Receiver } from './receiver.ts'

/** Whoever is left hanging goes away after a while. */
const PATIENCE_MS = 5_000

function tell(receiver: Receiver, id: string, body = '{}', event = 'push'): Promise<Response> {
  return fetch(receiver.urlOf('smith/forge'), {
    method: 'POST',
    headers: { 'x-gitea-delivery': id, 'x-gitea-event': event },
    body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
}

test('the same under the same name is one delivery; anything else under it is a fault', async () => {
  await using receiver = await Receiver.open(new Dice(1))
  receiver.mood = 'kind'
  for (const body of ['{"a":1}', '{"a":1}']) await tell(receiver, 'one', body)
  assert.deepEqual(receiver.faults, [])
  assert.deepEqual([receiver.told, receiver.counts], [1, { whole: 2, again: 1 }])
  await tell(receiver, 'one', '{"a":2}')
  await tell(receiver, 'one', '{"a":1}', 'create')
  assert.equal(receiver.faults.length, 2)
})

test('every manner is met, and only what was thanked for has arrived', async () => {
  await using receiver = await Receiver.open(new Dice(1))
  const thanked: string[] = []
  for (let i = 0; receiver.unmet.length > 0; i++) {
    const text = await tell(receiver, `d${i}`).then(beginningOf, () => '')
    if (text === 'thanks') thanked.push(`d${i}`)
  }
  const arrived = receiver.heardAt('smith/forge').filter(({ isThanked }) => isThanked)
  // Somebody may have gone away just before the thanks came.
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

/** Some answers have no end, and are not waited for. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const read = await reader?.read()
  await reader?.cancel()
  return Buffer.from(read?.value ?? []).toString('utf8')
}
