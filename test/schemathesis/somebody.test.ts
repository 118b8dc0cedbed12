/** Random calls of our OpenAPI document by a user. */
import { after, before, test } from 'node:test'
import type { TriedForge } from '../try-forge.ts'
import { holdFor, openForge } from './caller.ts'

let forge: TriedForge
before(async () => {
  forge = await openForge()
})
after(() => forge[Symbol.asyncDispose]())

test('calls of a user match our OpenAPI document', { timeout: 900_000 }, () => holdFor(forge, 'somebody'))
