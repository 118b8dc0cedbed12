/** Random calls of our OpenAPI document by an administrator. */
import { after, before, test } from 'node:test'
import type { TriedForge } from '../try-forge.ts'
import { holdFor, holdForSelfHarm, openForge } from './caller.ts'

let forge: TriedForge
before(async () => {
  forge = await openForge()
})
after(() => forge[Symbol.asyncDispose]())

test('calls of an administrator match our OpenAPI document', { timeout: 900_000 }, () =>
  holdFor(forge, 'an administrator'),
)

test('an administrator who edits their own account gets documented answers', { timeout: 300_000 }, () =>
  holdForSelfHarm(forge),
)
