/** Our own document taken at its word, by an administrator. */
import { after, before, test } from 'node:test'
import type { TriedForge } from '../try-forge.ts'
import { holdFor, holdForSelfHarm, openForge } from './caller.ts'

let forge: TriedForge
before(async () => {
  forge = await openForge()
})
after(() => forge[Symbol.asyncDispose]())

test('no failure and no broken promise for an administrator', { timeout: 900_000 }, () =>
  holdFor(forge, 'an administrator'),
)

test('nor when an administrator turns on accounts, the own one among them', { timeout: 300_000 }, () =>
  holdForSelfHarm(forge),
)
