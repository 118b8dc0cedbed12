/** Tags: list, get, create and delete. */
import type { Static } from 'typebox'
import { emit } from '#events'
import {
  alongWith,
  createTag as createAnnotated,
  createRef,
  deleteRef,
  findCommits,
  findRef,
  findRefs,
  findTag,
  findTags,
  type GitRef,
  getStorage,
  isOid,
  listRefs,
  listRefsByDate,
  TAGS,
  type TagRecord,
} from '#git'
import type { Context } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import type { Page } from '#platform/rest'
import { authorOf } from '../commits/authorship.ts'
import { findPeople } from '../commits/people.ts'
import type { TagEvent } from '../events.ts'
import { type Code, type CodeWrite, getRevision } from '../open-code.ts'
import { codePolicy } from '../refs/ref-policy.ts'
import type { CreateTag } from '../schemas.ts'
import { judge, type Verdict } from '../signatures/verification.ts'
import type { LoadedTag } from './tag-wire.ts'

/** With more tags the list is ordered by name, because ordering by date makes git read every tag. */
const SORTED_MAX = 20_000

/** Newest first. */
export async function listTags(
  ctx: Context,
  code: Code,
  page: Page,
): Promise<{ tags: LoadedTag[]; total: number }> {
  if (code.tags === 0) return { tags: [], total: 0 }
  const refs = code.tags > SORTED_MAX ? await listByName(ctx, code, page) : await listByDate(ctx, code, page)
  return { tags: await loadTags(ctx, code, refs), total: code.tags }
}

function listByName(ctx: Context, code: Code, { offset, limit }: Omit<Page, 'number'>): Promise<GitRef[]> {
  return listRefs(ctx.db, code.storage_id, { prefixes: [TAGS], skip: offset, limit })
}

async function listByDate(ctx: Context, code: Code, { offset, limit }: Page): Promise<GitRef[]> {
  const storage = await getStorage(ctx.db, code.storage_id)
  const names = await listRefsByDate(ctx, storage, 'refs/tags')
  // The cache on disk keeps no refs of a repository with very many of them.
  if (names.length === 0) return listByName(ctx, code, { offset, limit })
  const wanted = names.slice(offset, offset + limit).map(({ name }) => name)
  const refs = await findRefs(ctx.db, code.storage_id, wanted)
  return wanted.flatMap((name) => refs.get(name) ?? [])
}

export async function createTag(
  ctx: Context,
  { repo, actor }: CodeWrite,
  input: Static<typeof CreateTag>,
): Promise<LoadedTag> {
  const { oid } = await getRevision(ctx, repo, input.target, { withLost: true })
  const order = { ref: TAGS + input.tag_name, target: oid }
  const policy = codePolicy(repo, actor)
  if (input.message) {
    const tagger = await authorOf(ctx, actor)
    await createAnnotated(ctx, repo.storage_id, { ...order, message: input.message, tagger }, policy)
  } else await createRef(ctx, repo.storage_id, order, policy)
  return getTag(ctx, repo, input.tag_name)
}

export async function getTag(ctx: Context, code: Code, name: string): Promise<LoadedTag> {
  const ref = await findRef(ctx.db, code.storage_id, TAGS + name)
  const [tag] = ref === undefined ? [] : await loadTags(ctx, code, [ref])
  if (tag === undefined) throw notFound('tag', name)
  return tag
}

export async function deleteTag(ctx: Context, { repo, actor }: CodeWrite, name: string): Promise<void> {
  const event: TagEvent = { repository_id: repo.id, actor_id: actor.id, tag: name }
  const policy = alongWith(codePolicy(repo, actor), (ctx) => emit(ctx, 'tag.deleted', event))
  await deleteRef(ctx, repo.storage_id, { ref: TAGS + name }, policy)
}

/** Compat: an id that is no tag object is 400, not 404. */
export async function getAnnotatedTag(
  ctx: Context,
  code: Code,
  sha: string,
): Promise<{ tag: TagRecord; verdict: Verdict }> {
  const tag = isOid(sha) ? await findTag(ctx, code.storage_id, sha) : undefined
  if (tag === undefined) throw new Problem('malformed', 'annotated tag not found')
  const email = tag.tagger?.email ?? ''
  const people = await findPeople(ctx, [email])
  const verdict = (await judge(ctx, code, [{ ...tag, email }], people)).get(tag.oid)
  if (verdict === undefined) throw notFound('tag', sha)
  return { tag, verdict }
}

/** One git process for the tags and one for the commits that are not cached. */
async function loadTags(ctx: Context, code: Code, refs: readonly GitRef[]): Promise<LoadedTag[]> {
  const annotated = refs.filter(({ peeled_oid }) => peeled_oid !== null).map(({ oid }) => oid)
  const annotations = await findTags(ctx, code.storage_id, annotated)
  const commits = await findCommits(
    ctx,
    code.storage_id,
    refs.map(({ oid, peeled_oid }) => peeled_oid ?? oid),
  )
  return refs.map((ref) => ({
    ref,
    annotation: annotations.get(ref.oid),
    commit: commits.get(ref.peeled_oid ?? ref.oid),
  }))
}
