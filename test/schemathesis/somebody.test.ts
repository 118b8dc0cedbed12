/** Our own document taken at its word, by somebody. */
import { after, before, test } from 'node:test'
import type { TriedForge } from '../try-forge.ts'
import { holdFor, openForge } from './caller.ts'

let forge: TriedForge
before(async () => {
  forge = await openForge()
})
after(() => forge[Symbol.asyncDispose]())

test('no failure and no broken promise for somebody', { timeout: 900_000 }, () => holdFor(forge, 'somebody'))
