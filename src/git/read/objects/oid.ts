/** Object ids as they may be passed to git: nothing else that users write is passed as a revision. */
import assert from 'node:assert/strict'
import type { ObjectFormat } from '../../tables.ts'

const OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Git knows the empty tree even where it was never written. */
export const EMPTY_TREE: Readonly<Record<ObjectFormat, string>> = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

export function isOid(text: string): boolean {
  return OID.test(text)
}

/** Invariant: user input is resolved before it gets here. */
export function assertOids(...oids: readonly string[]): void {
  for (const oid of oids) assert.ok(isOid(oid), 'not an object id')
}
