/** Creates, edits and deletes releases. Invariant: a published release has its tag. */
import { countDeletedFiles } from '#domains/code/attachments'
import { codePolicy } from '#domains/code/contents'
import { type CanWrite, countChange, signatureOf } from '#domains/code/repositories'
import { emit } from '#events'
import { alongWith, createRef, createTag, findRef, isRefName, resolveRevision, TAGS } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { ReleaseRow } from '../tables.ts'
import type { Seen } from './open-release.ts'
import type { CreateRelease, EditRelease } from './schemas.ts'
import { deleteReleaseRow, findByTag, insertRelease, lockRelease, updateRelease } from './store.ts'

/** `code` is called only when a tag must be created. */
export interface Place {
  readonly repo: CanWrite<'releases'>
  readonly actor: SignedIn
  readonly code: () => Promise<CanWrite<'code'>>
}

export async function createRelease(ctx: Context, place: Place, input: CreateRelease): Promise<ReleaseRow> {
  const { repo, actor } = place
  if (repo.branches === 0) throw invalid('repo is empty')
  if (!isRefName(TAGS + input.tag_name)) throw invalid('not a valid tag name', { tag: input.tag_name })
  if (await findByTag(ctx.db, repo.id, input.tag_name)) throw hasRelease(input.tag_name)
  const isThere = (await findRef(ctx.db, repo.storage_id, TAGS + input.tag_name)) !== undefined
  const target = input.target_commitish || (isThere ? '' : repo.default_branch)
  const isDraft = input.draft ?? false
  const write = async (ctx: TxContext) => {
    const now = ctx.now()
    const release = await insertRelease(ctx.db, {
      repository_id: repo.id,
      tag: input.tag_name,
      target,
      title: input.name ?? '',
      note: input.body ?? '',
      is_draft: isDraft,
      is_prerelease: input.prerelease ?? false,
      author_id: actor.id,
      created_at: now,
      published_at: isDraft ? null : now,
    })
    if (release === undefined) throw hasRelease(input.tag_name)
    if (!isDraft) await countChange(ctx, repo.id, { releases: 1 })
    if (!isDraft) await emit(ctx, 'release.published', eventOf(release, actor))
    return release
  }
  if (isDraft || isThere) return transact(ctx, write)
  const tag = { tag: input.tag_name, target, message: input.tag_message ?? '' }
  return makeTagWith(ctx, place, tag, write)
}

export async function editRelease(
  ctx: Context,
  place: Place,
  release: Seen,
  input: EditRelease,
): Promise<ReleaseRow> {
  const { repo, actor } = place
  const tag = input.tag_name || release.tag
  const target = input.target_commitish || release.target
  if (!isRefName(TAGS + tag)) throw invalid('not a valid tag name', { tag })
  if (tag !== release.tag && (await findByTag(ctx.db, repo.id, tag))) throw hasRelease(tag)
  const isDraft = input.draft ?? release.is_draft
  const isThere = (await findRef(ctx.db, repo.storage_id, TAGS + tag)) !== undefined
  const write = async (ctx: TxContext) => {
    const edited = await updateRelease(ctx.db, release.id, {
      tag,
      target,
      // Compat: an empty string changes nothing.
      title: input.name || release.title,
      note: input.body || release.note,
      is_draft: isDraft,
      is_prerelease: input.prerelease ?? release.is_prerelease,
      published_at: isDraft ? null : (release.published_at ?? ctx.now()),
    })
    const change = Number(release.is_draft) - Number(isDraft)
    if (change !== 0) await countChange(ctx, repo.id, { releases: change })
    if (!isDraft)
      await emit(ctx, change === 1 ? 'release.published' : 'release.updated', eventOf(edited, actor))
    return edited
  }
  if (isDraft || isThere) return transact(ctx, write)
  return makeTagWith(ctx, place, { tag, target, message: '' }, write)
}

/** The tag stays. The sweep deletes the files. */
export async function deleteRelease(
  ctx: Context,
  repo: CanWrite<'releases'>,
  actor: SignedIn,
  release: Seen,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockRelease(ctx.db, release.id)
    await countDeletedFiles(ctx, repo.id, 'release', [release.id])
    if (!(await deleteReleaseRow(ctx.db, release.id))) throw notFound('release', release.id)
    if (release.is_draft) return
    await countChange(ctx, repo.id, { releases: -1 })
    const { tag, title } = release
    await emit(ctx, 'release.deleted', { ...eventOf(release, actor), tag, title })
  })
}

/** Creates the tag and the release in one transaction. */
async function makeTagWith(
  ctx: Context,
  { code, actor }: Place,
  { tag, target, message }: { tag: string; target: string; message: string },
  write: (ctx: TxContext) => Promise<ReleaseRow>,
): Promise<ReleaseRow> {
  const repo = await code()
  const commit = await resolveRevision(ctx, repo.storage_id, target, { withLost: true })
  if (commit === undefined) throw notFound('target', target)
  const order = { ref: TAGS + tag, target: commit.oid }
  const tagger = signatureOf(actor.account, ctx.site, ctx.now())
  let written: ReleaseRow | undefined
  const policy = alongWith(codePolicy(repo, actor), async (ctx) => {
    written = await write(ctx)
  })
  await (message === ''
    ? createRef(ctx, repo.storage_id, order, policy)
    : createTag(ctx, repo.storage_id, { ...order, message, tagger }, policy))
  // `written` is undefined when the reply to COMMIT was lost and the outcome was recovered by other means.
  return written ?? getByTag(ctx, repo.id, tag)
}

async function getByTag(ctx: Context, repositoryId: number, tag: string): Promise<ReleaseRow> {
  const release = await findByTag(ctx.db, repositoryId, tag)
  if (release === undefined) throw notFound('release', tag)
  return release
}

function hasRelease(tag: string): Problem {
  return new Problem('conflict', 'release for this tag already exists', { tag })
}

function eventOf(release: ReleaseRow, actor: SignedIn) {
  return { repository_id: release.repository_id, release_id: release.id, actor_id: actor.id }
}
