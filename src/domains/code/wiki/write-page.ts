/** Creates, edits and deletes wiki pages. Each change is one commit; its event is emitted in the same transaction. */
import { signatureOf } from '#domains/code/repositories'
import { emit } from '#events'
import { alongWith, commitFiles, type FileChange, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { readBase64 } from '#platform/rest'
import type { WikiEvent } from './events.ts'
import { makeWiki } from './make-wiki.ts'
import { fileOf, isReserved, nameOfTitle, titleOf } from './names.ts'
import { findTip, type Wiki, type WikiWrite } from './open-wiki.ts'
import { findFile } from './read-pages.ts'
import { wikiPolicy } from './ref-policy.ts'
import type { WritePage } from './schemas.ts'

/** The page's current name, and the wiki at the commit that was written. */
export interface Written {
  readonly wiki: Wiki
  readonly name: string
}

/** The wiki's branch, and the page's file if the page exists. */
interface Place {
  readonly storageId: StorageId
  readonly branch: string
  readonly tip: string | undefined
  readonly file: string | undefined
}

type Told = Pick<WikiEvent, 'page' | 'action' | 'comment'>

const FILE_NAME_BYTES_MAX = 255

export async function createPage(ctx: Context, desk: WikiWrite, input: WritePage): Promise<Written> {
  const title = (input.title ?? '').trim()
  if (title === '') throw invalid('title: is required')
  const page = usable(nameOfTitle(title))
  const content = decode(input.content_base64 ?? '')
  const place = await findPlace(ctx, await makeWiki(ctx, desk.repo), page)
  if (place.file !== undefined) throw taken(place.file)
  const comment = input.message?.trim() || `Add ${JSON.stringify(title)}`
  const change = { kind: 'create', path: fileOf(page), content } as const
  return write(ctx, desk, place, [change], { page, action: 'created', comment })
}

/** Compat: a missing page is created. An omitted title or content stays unchanged. */
export async function editPage(
  ctx: Context,
  desk: WikiWrite,
  name: string,
  input: WritePage,
): Promise<Written> {
  const title = (input.title ?? '').trim()
  const page = usable(title === '' ? name : nameOfTitle(title))
  const content = input.content_base64 === undefined ? undefined : decode(input.content_base64)
  const place = await findPlace(ctx, await makeWiki(ctx, desk.repo), name)
  if (page !== name) await assertFree(ctx, place, page)
  const changes = changesOf(place.file, fileOf(page), page !== name, content)
  const comment = input.message?.trim() || `Update ${JSON.stringify(title || titleOf(name))}`
  return write(ctx, desk, place, changes, { page, action: 'edited', comment })
}

export async function deletePage(ctx: Context, desk: WikiWrite, name: string): Promise<void> {
  const storageId = desk.repo.wiki_storage_id
  const place = storageId === null ? undefined : await findPlace(ctx, storageId, name)
  if (place?.file === undefined) throw notFound('wiki page', name)
  const comment = `Delete page ${JSON.stringify(name)}`
  const change = { kind: 'delete', path: place.file } as const
  await write(ctx, desk, place, [change], { page: name, action: 'deleted', comment })
}

async function findPlace(ctx: Context, storageId: StorageId, name: string): Promise<Place> {
  const { branch, tip } = await findTip(ctx, storageId)
  const found = tip === undefined ? undefined : await findFile(ctx, { storageId, tip }, name)
  return { storageId, branch, tip, file: found?.path }
}

async function assertFree(ctx: Context, { storageId, tip }: Place, page: string): Promise<void> {
  const other = tip === undefined ? undefined : await findFile(ctx, { storageId, tip }, page)
  if (other !== undefined) throw taken(other.path)
}

/** Empty when nothing changes. A page that keeps its name keeps its file name, even one that users pushed. */
function changesOf(
  file: string | undefined,
  path: string,
  isRenamed: boolean,
  content: Buffer | undefined,
): FileChange[] {
  if (file === undefined) return [{ kind: 'create', path, content: content ?? Buffer.alloc(0) }]
  if (isRenamed) return [{ kind: 'rename', from: file, path, ...(content !== undefined && { content }) }]
  return content === undefined ? [] : [{ kind: 'update', path: file, content }]
}

/** Concurrent writers are serialized: `commitFiles` checks the changes against the current tree on each attempt. */
async function write(
  ctx: Context,
  { repo, actor }: WikiWrite,
  { storageId, branch }: Place,
  changes: readonly FileChange[],
  told: Told,
): Promise<Written> {
  const author = signatureOf(actor.account, ctx.site, ctx.now())
  const order = { target: { branch }, changes, message: told.comment, author, committer: author }
  const policy = alongWith(wikiPolicy(storageId), (ctx) =>
    emit(ctx, 'wiki.changed', { repository_id: repo.id, actor_id: actor.id, ...told }),
  )
  const { oid } = await commitFiles(ctx, storageId, order, policy).catch((error: unknown) => {
    const isTaken = error instanceof Problem && error.kind === 'conflict' && 'path' in error.details
    throw isTaken ? taken(String(error.details.path)) : error
  })
  return { wiki: { storageId, tip: oid }, name: told.page }
}

function usable(name: string): string {
  if (isReserved(name)) throw new Problem('malformed', `wiki title is reserved: ${titleOf(name)}`)
  if (Buffer.byteLength(fileOf(name)) > FILE_NAME_BYTES_MAX) throw invalid('title: is too long')
  return name
}

function taken(file: string): Problem {
  return new Problem('malformed', `wiki page already exists [title: ${file}]`)
}

function decode(text: string): Buffer {
  const content = readBase64(text)
  if (content === undefined) throw new Problem('malformed', 'content_base64: is not base64')
  return content
}
