/** Avatars of users, organizations and repositories: validated and kept in the object store. */
import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { announceObject, discardObjects, keepObject } from '#platform/discard'
import { readNamed } from '#platform/lost-object'
import { invalid, Problem } from '#platform/problem'
import { drawPicture } from './drawn-picture.ts'
import { imageKindOf } from './image-kind.ts'

const PICTURE_BYTES_MAX = 1024 * 1024
const SIDE_MAX = 4096
/** Base64 has four characters for three bytes. */
export const PICTURE_TEXT_MAX = Math.ceil(PICTURE_BYTES_MAX / 3) * 4
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/
/** A UUID, or the digest that names a picture that was moved in. */
const KEY = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32}(?:[\da-f]{32})?)$/

/** What the row with this key belongs to, for operators; undefined if the avatar is not shown (any more). */
export type FindPictureOwner = (db: Db, key: string) => Promise<string | undefined>

/** Stores a base64 image and returns its key. The object is deleted unless `keepPicture` follows. */
export async function storePicture(ctx: Context, text: string): Promise<string> {
  if (!BASE64.test(text)) throw new Problem('malformed', 'image is not base64')
  const bytes = Buffer.from(text, 'base64')
  const image = imageKindOf(bytes)
  if (image === undefined) throw invalid('image must be PNG, JPEG, GIF or WebP')
  if (bytes.length > PICTURE_BYTES_MAX) throw invalid('image is too large', { bytes: bytes.length })
  if (Math.max(image.width, image.height) > SIDE_MAX || Math.min(image.width, image.height) < 1)
    throw invalid('image dimensions are too large', { width: image.width, height: image.height })
  return store(ctx, bytes)
}

async function store(ctx: Context, bytes: Buffer): Promise<string> {
  const key = randomUUID()
  await announceObject(ctx, pictureKey(key))
  await ctx.store.create(pictureKey(key), bytes, { bytes: bytes.length, signal: ctx.signal })
  return key
}

/** Copies the object, so that each copy can be deleted on its own; an empty key stays empty. */
export async function copyPicture(ctx: Context, key: string, findOwner: FindPictureOwner): Promise<string> {
  return key === '' ? '' : store(ctx, await readPicture(ctx, key, findOwner))
}

/** Call in the transaction that stores the key. */
export async function keepPicture(ctx: TxContext, key: string): Promise<void> {
  if (key !== '') await keepObject(ctx, pictureKey(key))
}

/** Call in the transaction that removes the key. */
export async function dropPicture(ctx: TxContext, key: string): Promise<void> {
  if (key !== '') await discardObjects(ctx, [pictureKey(key)])
}

export interface Picture {
  readonly type: string
  readonly bytes: Buffer
}

/** By its key; a numeric name is the default avatar of that account. */
export async function findPicture(
  ctx: Context,
  name: string,
  findOwner: FindPictureOwner,
): Promise<Picture | undefined> {
  if (/^\d{1,15}$/.test(name)) return { type: 'image/svg+xml', bytes: Buffer.from(drawPicture(name)) }
  // The object of a removed avatar stays for a day, but no row names it.
  if (!KEY.test(name) || (await findOwner(ctx.db, name)) === undefined) return undefined
  const bytes = await readPicture(ctx, name, findOwner)
  const image = imageKindOf(bytes)
  return image && { type: image.type, bytes }
}

export async function findAvatarOwner(db: Db, key: string): Promise<string | undefined> {
  const found = await selectByAvatar(db, key).executeTakeFirst()
  return found && `avatar of ${found.login}`
}

/** The avatar of a suspended account is not shown. The last condition lets PostgreSQL use the partial index. */
export function selectByAvatar(db: Db, key: string) {
  return db
    .selectFrom('account')
    .select('login')
    .where('is_suspended', '=', false)
    .where('avatar_key', '=', key)
    .where('avatar_key', '<>', sql.lit(''))
}

/** Sets the avatar of an account; null removes it. */
export async function setAvatar(ctx: Context, accountId: number, text: string | null): Promise<void> {
  const key = text === null ? '' : await storePicture(ctx, text)
  await transact(ctx, async (ctx) => {
    const before = await ctx.db
      .selectFrom('account')
      .select('avatar_key')
      .where('id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await ctx.db
      .updateTable('account')
      .set({ avatar_key: key, updated_at: ctx.now() })
      .where('id', '=', accountId)
      .execute()
    await keepPicture(ctx, key)
    await dropPicture(ctx, before.avatar_key)
  })
}

async function readPicture(ctx: Context, key: string, findOwner: FindPictureOwner): Promise<Buffer> {
  const options = { signal: ctx.signal }
  const { body } = await readNamed(ctx, pictureKey(key), () => findOwner(ctx.db, key), options)
  return buffer(body)
}

export function pictureKey(key: string): string {
  return `pictures/${key}`
}
