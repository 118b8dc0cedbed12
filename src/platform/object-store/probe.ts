/** The start-up probe: tests the promises that everything else relies on, and refuses a store that breaks one. */
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { OperatorError } from '#platform/operator-error'
import { Problem } from '#platform/problem'
import { SINGLE_PUT_BYTES_MAX } from './sizes.ts'
import type { ObjectStore } from './types.ts'

/** Some stores violate create-only only under concurrency; one of them did in one round of seven. */
const ROUNDS = 20
const RACERS = 16
/** Large enough that writers overlap, small enough for a quick start. */
const RACE_BODY_BYTES = 32 * 1024
const LARGE_RACERS = 2
const LARGE_BODY_BYTES = SINGLE_PUT_BYTES_MAX + 1
const CHUNK_BYTES = 64 * 1024

const CREATE_ONLY_ADVICE =
  'two nodes would overwrite each other: use a store that honours "If-None-Match: *" for PutObject and ' +
  'CompleteMultipartUpload, also when many ask at once (on disk: a local file system with hard links)'
const CONSISTENCY_ADVICE =
  'a node would not see what it stored: use a store with strong read-after-write consistency, and no ' +
  'cache or lagging replica in front of it'
const ACCESS_ADVICE =
  'check that the store is running, that store.endpoint, store.bucket and the keys (or store.folder) are the right ' +
  'ones, and that reading, writing, listing and deleting are allowed'
/** By the failure that a driver reports; any other gets the whole list. */
const ADVICE: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket, or correct store.bucket',
  PermanentRedirect: 'correct store.region and store.endpoint',
  InvalidAccessKeyId: 'correct store.access_key_id',
  SignatureDoesNotMatch: 'correct store.secret_access_key',
  AccessDenied: 'let the key read, write, list and delete in store.bucket, or correct store.access_key_id',
  ENOTFOUND: 'correct the host of store.endpoint',
  ECONNREFUSED: 'start the service, or correct store.endpoint',
  TimeoutError: 'check store.endpoint and firewalls',
  EACCES: 'let the user of this process write to store.folder',
  EROFS: 'set store.folder to a folder on a file system that can be written',
  ENOSPC: 'make room in store.folder',
}

/** Throws an Error that names the fault of the store and its remedy. */
export async function probeObjectStore(store: ObjectStore, options: { rounds?: number } = {}): Promise<void> {
  const rounds = options.rounds ?? ROUNDS
  const prefix = `probe/${randomUUID()}-`
  const raceKeys = Array.from({ length: rounds }, (_, round) => `${prefix}race-${round}`)
  const largeKey = `${prefix}large`
  const plainKey = `${prefix}plain`
  try {
    await probePlain(store, plainKey)
    for (const key of raceKeys) await probeRace(store, key)
    await probeLargeRace(store, largeKey)
    await probeDelete(store, prefix, [plainKey, largeKey, ...raceKeys])
  } catch (error) {
    await Promise.allSettled([plainKey, largeKey, ...raceKeys].map((key) => store.delete(key)))
    throw error instanceof Problem ? refusal(store, describe(error), adviceFor(error), error) : error
  }
}

async function probePlain(store: ObjectStore, key: string): Promise<void> {
  const first = randomBytes(1_000)
  const second = randomBytes(1_000)
  const answers = [await createFrom(store, key, first), await createFrom(store, key, second)]
  if (answers[0] !== 'created') throw refusal(store, 'said that a new key existed', CONSISTENCY_ADVICE)
  if (answers[1] !== 'exists') throw refusal(store, 'stored a key a second time', CREATE_ONLY_ADVICE)

  const whole = await readWhole(store, key)
  if (whole.equals(second)) throw refusal(store, 'overwrote a stored object', CREATE_ONLY_ADVICE)
  if (!whole.equals(first)) throw refusal(store, 'gave back other bytes than were stored', CONSISTENCY_ADVICE)
  if ((await store.stat(key))?.bytes !== first.length) {
    throw refusal(store, 'gave a wrong size for a stored object', CONSISTENCY_ADVICE)
  }
  const part = await readWhole(store, key, { start: 100, end: 299 })
  if (!part.equals(first.subarray(100, 300))) {
    throw refusal(store, 'gave other bytes than the range asked for', 'use a store that serves byte ranges')
  }
  if ((await listKeys(store, key)).join() !== key) {
    throw refusal(store, 'did not list a stored object', CONSISTENCY_ADVICE)
  }
}

async function probeRace(store: ObjectStore, key: string): Promise<void> {
  const bodies = Array.from({ length: RACERS }, () => randomBytes(RACE_BODY_BYTES))
  const answers = await settle(bodies.map((body) => createFrom(store, key, body)))
  const winner = findWinner(store, answers)
  const stored = await readWhole(store, key)
  const keeper = bodies.findIndex((body) => body.equals(stored))
  if (keeper < 0 || (winner !== undefined && keeper !== winner)) {
    throw refusal(store, 'kept the body of a writer it had refused', CREATE_ONLY_ADVICE)
  }
}

/** Multipart bodies become visible by a separate request with its own condition. */
async function probeLargeRace(store: ObjectStore, key: string): Promise<void> {
  const racers = Array.from({ length: LARGE_RACERS }, (_, racer) => racer)
  const answers = await settle(
    racers.map((racer) =>
      store.create(key, Readable.from(fill(racer), { objectMode: false }), { bytes: LARGE_BODY_BYTES }),
    ),
  )
  const winner = findWinner(store, answers)
  const stored = await store.stat(key)
  const last = await readWhole(store, key, { start: LARGE_BODY_BYTES - 1, end: LARGE_BODY_BYTES - 1 })
  const keeper = racers.indexOf(last[0] ?? -1)
  if (stored?.bytes !== LARGE_BODY_BYTES || keeper < 0 || (winner !== undefined && keeper !== winner)) {
    throw refusal(store, 'kept the parts of a writer it had refused', CREATE_ONLY_ADVICE)
  }
}

async function probeDelete(store: ObjectStore, prefix: string, keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => store.delete(key)))
  const remaining = await Promise.all(keys.map((key) => store.stat(key)))
  const listed = await listKeys(store, prefix)
  if (listed.length > 0 || remaining.some((stat) => stat !== undefined)) {
    throw refusal(store, 'still showed objects after their deletion', CONSISTENCY_ADVICE)
  }
}

/** Waits for all even when one fails, so that no writer is still running when the probe cleans up. */
async function settle<T>(works: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works)
  return Promise.all(works)
}

/** Undefined: the winner's answer was lost on a busy machine, and its retry was answered that the key exists. */
function findWinner(store: ObjectStore, answers: readonly string[]): number | undefined {
  const winners = answers.filter((answer) => answer === 'created').length
  if (winners > 1) {
    throw refusal(store, `let ${winners} of ${answers.length} writers create one key`, CREATE_ONLY_ADVICE)
  }
  return winners === 1 ? answers.indexOf('created') : undefined
}

function createFrom(store: ObjectStore, key: string, body: Buffer): Promise<string> {
  return store.create(key, body, { bytes: body.length })
}

async function readWhole(
  store: ObjectStore,
  key: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const { body } = await store.read(key, range === undefined ? {} : { range })
  return buffer(body)
}

async function listKeys(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of store.list(prefix)) keys.push(key)
  return keys
}

function* fill(value: number): Generator<Buffer> {
  const chunk = Buffer.alloc(CHUNK_BYTES, value)
  for (let left = LARGE_BODY_BYTES; left > 0; left -= CHUNK_BYTES) yield chunk.subarray(0, left)
}

function describe(problem: Problem): string {
  const failure = problem.details.failure ?? problem.kind
  return `could not do what was asked (${problem.message}: ${failure})`
}

function adviceFor(problem: Problem): string {
  return ADVICE[String(problem.details.failure)] ?? ACCESS_ADVICE
}

function refusal(store: ObjectStore, fault: string, advice: string, cause?: Error): Error {
  return new OperatorError(
    `the object store (driver ${store.driver}) ${fault}; ${advice}`,
    cause ? { cause } : {},
  )
}
