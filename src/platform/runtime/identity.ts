/**
 * The identity of a forge: which object store belongs to its database, and which keys encrypt its secrets. A node with
 * another store would split the data, and a node with other keys could open no secret; both look healthy until a user
 * notices. So the store holds an id that the row of `forge_identity` repeats, and the row holds a text that the keys open.
 */
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Db } from '#platform/db'
import { must } from '#platform/must'
import { findObject, type ObjectStore } from '#platform/object-store'
import { OperatorError } from '#platform/operator-error'
import type { Seal, SealedColumn } from '#platform/seal'

declare module '#platform/db' {
  interface Tables {
    forge_identity: { is_only: boolean; store_id: string; canary: string }
  }
}

const KEY = 'forge-id'
const PURPOSE = 'forge identity'
/** The canary; a node also encrypts it with its first key when it starts. */
export const SEALED_CANARY: SealedColumn = { table: 'forge_identity', column: 'canary', purpose: PURPOSE }

interface Identity {
  readonly store_id: string
  readonly canary: string
}

interface Parts {
  readonly db: Db
  readonly store: ObjectStore
  readonly seal: Seal
}

/** Throws an Error that names the fault and its remedy. The first node of a forge writes both marks. */
export async function claimIdentity(parts: Parts): Promise<void> {
  const { db, seal } = parts
  const { store_id, canary } = (await checkIdentity(parts)) ?? (await mark(parts))
  // So that the key that sealed it can be removed from secrets.keys.
  if (seal.needsRotation(canary))
    await db
      .updateTable('forge_identity')
      .set({ canary: seal.seal(PURPOSE, store_id) })
      .execute()
}

/** Of two nodes that start at once, one inserts the row, and the other is compared with it. */
async function mark(parts: Parts): Promise<Identity> {
  const { db, store, seal } = parts
  const store_id = (await findStoreId(store)) ?? (await markStore(store))
  await db
    .insertInto('forge_identity')
    .values({ is_only: true, store_id, canary: seal.seal(PURPOSE, store_id) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return must(await checkIdentity(parts), 'the row is there')
}

/** The row of `forge_identity`; undefined if no node has served yet. Changes nothing. */
export async function checkIdentity({ db, store, seal }: Parts): Promise<Identity | undefined> {
  const row = await db.selectFrom('forge_identity').select(['store_id', 'canary']).executeTakeFirst()
  if (row === undefined) return undefined
  const found = await findStoreId(store)
  if (found !== row.store_id) throw new OperatorError(storeFault(row.store_id, found))
  try {
    seal.open(PURPOSE, row.canary)
  } catch {
    throw new OperatorError(
      'secrets.keys do not open the secrets of this forge; use the keys of the other nodes, with every key that was ever first',
    )
  }
  return row
}

function storeFault(expected: string, found: string | undefined): string {
  const seen = found === undefined ? `has no object ${KEY}` : `is store ${found}`
  return (
    `the object store ${seen}, but this database belongs to store ${expected}: nodes with different stores would split ` +
    `the data; set store.* as on the other nodes, or copy the object ${KEY} too if the store was moved`
  )
}

async function findStoreId(store: ObjectStore): Promise<string | undefined> {
  const found = await findObject(store, KEY)
  return found && (await text(found.body)).trim()
}

/** Of two nodes that start at once, both read the id of the first. */
async function markStore(store: ObjectStore): Promise<string> {
  const body = Buffer.from(randomUUID())
  await store.create(KEY, body, { bytes: body.length })
  const id = await findStoreId(store)
  if (id === undefined) throw new OperatorError(`the object store lost the object ${KEY}`)
  return id
}
