/**
 * Loaded before a program (`--import`): writes each distinct statement that it sends to PostgreSQL to the folder
 * SHARDS_STATEMENTS, with the source file that sent it, and each distinct set of tables that a transaction wrote.
 * Works for tests, nodes and commands alike.
 */
import { appendFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { threadId } from 'node:worker_threads'
import pg from 'pg'
import { isWorthPreparing, MARK } from '../../src/platform/db/prepared.ts'

const FOLDER = process.env.SHARDS_STATEMENTS
const ROOT = join(import.meta.dirname, '../..')
const FRAMES_MAX = 60
/** These only carry statements of others. */
const CARRIERS = /^src\/(?:platform\/(?:db|pool|context)|testing)\b/

const WRITES = /\b(?:insert into|update|delete from) "?(\w+)/g

/** True when the source is known; a test may have sent the text first. */
const known = new Map<string, boolean>()
const sets = new Set<string>()
/** The tables that the transaction of a connection has written so far. */
const written = new WeakMap<object, Set<string>>()

/** The first file of the forge on the stack, without tests: `await` keeps callers on it. */
function findSource(): string | undefined {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES_MAX
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = limit
  const files = [...stack.matchAll(/file:\/\/(\/[^:)]+)/g)].map(([, path = '']) => relative(ROOT, path))
  return files.find((it) => it.startsWith('src/') && !it.endsWith('.test.ts') && !CARRIERS.test(it))
}

function noteTransaction(client: object, text: string): void {
  if (/^begin\b|^start transaction\b/i.test(text)) written.set(client, new Set())
  const tables = written.get(client)
  if (tables === undefined) return
  for (const [, table = ''] of text.matchAll(WRITES)) tables.add(table)
  if (!/^commit\b/i.test(text)) return
  written.delete(client)
  const transaction = [...tables].sort()
  const key = transaction.join()
  if (transaction.length < 2 || sets.has(key)) return
  const source = findSource()
  if (source === undefined) return
  sets.add(key)
  append({ transaction, source })
}

function noteStatement(text: string): void {
  if (known.get(text) === true) return
  if (!isWorthPreparing(text.replaceAll(MARK, ''))) return
  const source = findSource()
  if (known.has(text) && source === undefined) return
  known.set(text, source !== undefined)
  append({ text, source: source ?? null })
}

function append(line: object): void {
  appendFileSync(join(FOLDER ?? '', `${process.pid}-${threadId}.jsonl`), `${JSON.stringify(line)}\n`)
}

if (FOLDER !== undefined) {
  const client = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown }
  const send = client.query
  client.query = function (this: object, ...args: unknown[]): unknown {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text
    if (typeof text === 'string') {
      noteStatement(text)
      noteTransaction(this, text)
    }
    return send.apply(this, args)
  }
}
