/**
 * Fuzzing: requests that git has made, changed at random. Every one is answered or disconnected within a bound, none with
 * 5xx, and afterwards the forge works as before.
 *
 *   FUZZ_SECONDS=300 node --test test/hostile/fuzz.test.ts     the full length; without it, a short run
 *   FUZZ_SEED=1234                                             repeats a random sequence
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Dice } from '../chaos/dice.ts'
import { commit, packOf } from './hand-made-pack.ts'
import { HostileForge, receivePack, toMib, uploadPack } from './hostile-forge.ts'
import { mutate } from './mutate.ts'
import { assertUnharmed, first, folder, foundTown, TOWN } from './town.ts'
import { type Answer, type Ask, FLUSH, listing, pkts, requestBytes, send, ZERO } from './wire.ts'

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 20)
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 32))
const AT_ONCE = 8
/** The client of a truncated request does not wait for ever, either. */
const PATIENCE_MS = 1_000
const SHOWN_BYTES = 2_000

const second = commit(folder.oid, [first.oid])
const push = (name: string) =>
  Buffer.concat([
    pkts(`${ZERO} ${second.oid} refs/heads/${name}\0 report-status side-band-64k atomic`, FLUSH),
    packOf(second),
  ])
const want = `want ${first.oid} ofs-delta thin-pack\n`
const asks: readonly Ask[] = [
  { path: `/admin/${TOWN}.git/info/refs?service=git-upload-pack`, headers: { 'git-protocol': 'version=2' } },
  { path: `/admin/${TOWN}.git/info/refs?service=git-upload-pack` },
  { path: `/admin/${TOWN}.git/info/refs?service=git-receive-pack` },
  { ...uploadPack(TOWN, 2), body: listing('peel\n', 'symrefs\n', 'ref-prefix refs/heads/\n') },
  {
    ...uploadPack(TOWN, 2),
    body: pkts(
      'command=fetch',
      '0001',
      'ofs-delta',
      'filter blob:none',
      `want ${first.oid}\n`,
      'done\n',
      FLUSH,
    ),
  },
  {
    ...uploadPack(TOWN, 2),
    body: pkts('command=fetch', '0001', 'deepen 1', `want ${first.oid}\n`, `have ${second.oid}\n`, FLUSH),
  },
  { ...uploadPack(TOWN, 0), body: pkts(want, FLUSH, 'done\n') },
  { ...receivePack(TOWN), body: push('fuzz') },
  {
    ...receivePack(TOWN),
    body: pkts(`${first.oid} ${ZERO} refs/heads/gone\0 report-status delete-refs`, FLUSH),
  },
]

let forge: HostileForge
before(async () => {
  console.log(`FUZZ_SEED=${SEED} FUZZ_SECONDS=${SECONDS}`)
  forge = await HostileForge.open()
  await foundTown(forge)
})
after(() => forge?.[Symbol.asyncDispose]())

test('randomly changed requests are answered or disconnected, and do no harm', async () => {
  const answers = new Map<string, number>()
  const until = performance.now() + SECONDS * 1_000
  const attack = async (dice: Dice) => {
    while (performance.now() < until) {
      const bytes = attackBytes(dice)
      const answer = await send(forge.url, bytes, { patienceMs: PATIENCE_MS }).catch((error: Error) => error)
      const fault = faultOf(answer)
      if (fault !== undefined)
        assert.fail(
          `FUZZ_SEED=${SEED}: ${fault}: ${JSON.stringify(bytes.toString('latin1', 0, SHOWN_BYTES))}`,
        )
      const status = String((answer as Answer).status ?? 'closed')
      answers.set(status, (answers.get(status) ?? 0) + 1)
    }
  }
  const dice = new Dice(SEED)
  await Promise.all(Array.from({ length: AT_ONCE }, () => attack(dice.fork())))
  await assertUnharmed(forge)
  const { node, git } = forge.peak
  console.log(
    `${JSON.stringify(Object.fromEntries(answers))}, node ${toMib(node)} MiB, git ${toMib(git)} MiB`,
  )
})

/** Changes the body, or everything but the credentials: otherwise the forge would soon refuse all requests. */
function attackBytes(dice: Dice): Buffer {
  const ask = dice.pick(asks)
  const isZipped = ask.body !== undefined && dice.below(5) === 0
  const headers = { ...ask.headers, ...(isZipped ? { 'content-encoding': 'gzip' } : {}) }
  if (ask.body !== undefined && dice.below(4) > 0) {
    const body =
      isZipped && dice.below(2) === 0
        ? mutate(dice, gzipSync(ask.body))
        : zip(isZipped, mutate(dice, ask.body))
    return requestBytes({ ...ask, headers, body }, forge.authorization)
  }
  const body = ask.body === undefined ? {} : { body: zip(isZipped, ask.body) }
  const bytes = mutate(
    dice,
    requestBytes({ ...ask, ...body, headers: { ...headers, authorization: 'none' } }, ''),
  )
  const end = bytes.indexOf('authorization: none')
  if (end < 0) return bytes
  return Buffer.concat([
    bytes.subarray(0, end),
    Buffer.from(`authorization: ${forge.authorization}`),
    bytes.subarray(end + 'authorization: none'.length),
  ])
}

function zip(isZipped: boolean, body: Buffer): Buffer {
  return isZipped ? gzipSync(body) : body
}

function faultOf(answer: Answer | Error): string | undefined {
  if (answer instanceof Error) return answer.message
  return answer.status !== undefined && answer.status >= 500 ? `answered ${answer.status}` : undefined
}
