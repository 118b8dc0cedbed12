/** Converts moved refs to feed activities with their commits and compare URLs. */
import type { RefsMovedEvent } from '#domains/code/repositories'
import {
  type CommitRecord,
  findCommit,
  findMergeBase,
  findRef,
  findTag,
  HEADS,
  isBeyondGit,
  isZeroOid,
  listCommits,
  listHistory,
  localTime,
  type StorageId,
  TAGS,
} from '#git'
import type { Context } from '#platform/context'
import type { Act } from '#slices'

export interface Update {
  readonly name: string
  readonly old: string
  readonly new: string
}

interface Place {
  readonly storage_id: StorageId
  readonly default_branch: string
  readonly name: string
  readonly login: string
}

/** Bounds the activities of one push, because each ref costs git processes. */
const REFS_LISTED_MAX = 50
/** D55: more tags of one push are one activity, whose `Len` is their number. */
const TAGS_LISTED_MAX = 3
const COMMITS_SHOWN_MAX = 5
/** Compat: the number of commits counted for a branch without a base. */
const COMMITS_OF_FIRST_MAX = 10
const CONTENT_LENGTH_MAX = 65_535
/** Bounds chains of tags that point to tags. */
const TAGS_DEEP_MAX = 5
const PAGE = { skip: 0, limit: COMMITS_SHOWN_MAX, withStats: false, withFiles: false }
/** Compat: the reference's content for a push without commits. */
const NO_COMMITS: Pushed = { Commits: null, HeadCommit: null, CompareURL: '', Len: 0 }

/** The JSON of an activity's `content`, which clients parse. */
interface Pushed {
  readonly Commits: readonly PushedCommit[] | null
  readonly HeadCommit: PushedCommit | null
  readonly CompareURL: string
  readonly Len: number
}
interface PushedCommit {
  readonly Sha1: string
  readonly Message: string
  readonly AuthorEmail: string
  readonly AuthorName: string
  readonly CommitterEmail: string
  readonly CommitterName: string
  readonly Timestamp: string
}

/** Compat: refs of an import or of the first commit have no activities besides the repository's own. */
export async function actsOfRefs(
  ctx: Context,
  cause: RefsMovedEvent['cause'],
  repositoryId: number,
  updates: readonly Update[],
): Promise<Act[]> {
  if (cause === 'import' || cause === 'initial') return []
  return (cause === 'mirror' ? actsOfMirror : actsOfPush)(ctx, repositoryId, updates)
}

async function actsOfPush(ctx: Context, repositoryId: number, updates: readonly Update[]): Promise<Act[]> {
  const place = await findPlace(ctx, repositoryId)
  if (place === undefined) return []
  const acts: Act[] = []
  const counts = countTags(updates)
  const listed = updates.filter((it) => counts.get(it) !== 'counted')
  for (const update of listed.slice(0, REFS_LISTED_MAX)) {
    if (update.name.startsWith(HEADS)) acts.push(...(await actsOfBranch(ctx, place, update)))
    if (update.name.startsWith(TAGS))
      acts.push(await actOfTag(ctx, place, update, Number(counts.get(update) ?? 0)))
  }
  return acts
}

/** Of many tags that were pushed, or deleted, the last one has their number; the others are counted with it. */
function countTags(updates: readonly Update[]): ReadonlyMap<Update, number | 'counted'> {
  const tags = updates.filter(({ name }) => name.startsWith(TAGS))
  const groups = [true, false].map((isGone) => tags.filter((it) => isZeroOid(it.new) === isGone))
  const many = groups.filter(({ length }) => length > TAGS_LISTED_MAX)
  return new Map(
    many.flatMap((group) =>
      group.map((it, i) => [it, i === group.length - 1 ? group.length : ('counted' as const)] as const),
    ),
  )
}

/** Compat: a mirror sync has its own activity types, and new refs have no commits. */
async function actsOfMirror(ctx: Context, repositoryId: number, updates: readonly Update[]): Promise<Act[]> {
  const place = await findPlace(ctx, repositoryId)
  if (place === undefined) return []
  const acts: Act[] = []
  for (const update of updates.slice(0, REFS_LISTED_MAX)) {
    const ref_name = update.name
    const push = (pushed: Pushed): Act => ({
      op_type: 'mirror_sync_push',
      ref_name,
      content: contentOf(pushed),
    })
    if (isZeroOid(update.new)) acts.push({ op_type: 'mirror_sync_delete', ref_name })
    else if (isZeroOid(update.old)) acts.push({ op_type: 'mirror_sync_create', ref_name }, push(NO_COMMITS))
    else acts.push(push(await pushedSince(ctx, place, update.old, update)))
  }
  return acts
}

/** Compat: a new branch has two activities, one for its creation and one for the push. */
async function actsOfBranch(ctx: Context, place: Place, update: Update): Promise<Act[]> {
  const ref_name = update.name
  if (isZeroOid(update.new)) return [{ op_type: 'delete_branch', ref_name }]
  const pushed = await (isZeroOid(update.old)
    ? pushedAnew(ctx, place, update)
    : pushedSince(ctx, place, update.old, update))
  const push: Act = { op_type: 'commit_repo', ref_name, content: contentOf(pushed) }
  return isZeroOid(update.old) ? [{ op_type: 'commit_repo', ref_name }, push] : [push]
}

/** `count`: the number of tags that it stands for; 0 for itself alone. */
async function actOfTag(ctx: Context, place: Place, update: Update, count: number): Promise<Act> {
  const ref_name = update.name
  const counted = { ...NO_COMMITS, Len: count }
  if (isZeroOid(update.new)) return { op_type: 'delete_tag', ref_name, content: contentOf(counted) }
  const commit = await findTagged(ctx, place, update.new)
  const none = '0'.repeat(update.new.length)
  const pushed: Pushed = {
    ...counted,
    HeadCommit: commit === undefined ? null : presentCommit(commit),
    CompareURL: comparison(place, none, update.new),
  }
  return { op_type: 'push_tag', ref_name, content: contentOf(pushed) }
}

/**
 * A new branch is compared with the default branch; the default branch itself with nothing. Compat: if there are new
 * commits, the compare URL starts at the merge base.
 */
async function pushedAnew(ctx: Context, place: Place, update: Update): Promise<Pushed> {
  const name = HEADS + place.default_branch
  const base = update.name === name ? undefined : await findRef(ctx.db, place.storage_id, name)
  if (base !== undefined) {
    const pushed = await pushedSince(ctx, place, base.oid, update, place.default_branch)
    if (pushed.Len === 0) return pushed
    const parting = await findMergeBase(ctx, place.storage_id, base.oid, update.new)
    return parting === undefined ? pushed : { ...pushed, CompareURL: comparison(place, parting, update.new) }
  }
  if ((await findCommit(ctx, place.storage_id, update.new)) === undefined) return NO_COMMITS
  const page = { ...PAGE, limit: COMMITS_OF_FIRST_MAX }
  const commits = await listCommits(ctx, place.storage_id, { start: update.new }, page).catch(passOver([]))
  return pushedOf(commits, commits.length, '')
}

/** Commits may be gone when the job runs; then the activity has none. */
async function pushedSince(
  ctx: Context,
  place: Place,
  base: string,
  update: Update,
  shownBase = base,
): Promise<Pushed> {
  const { storage_id } = place
  const head = await findCommit(ctx, storage_id, update.new)
  if (head === undefined) return NO_COMMITS
  const url = comparison(place, shownBase, update.new)
  if ((await findCommit(ctx, storage_id, base)) === undefined)
    return { ...pushedOf([head], 0, url), Commits: [] }
  const history = { start: update.new, not: [base] }
  const none = { commits: [], total: 0 }
  const { commits, total } = await listHistory(ctx, storage_id, history, PAGE).catch(passOver(none))
  return { ...pushedOf(commits, total, url), HeadCommit: presentCommit(head) }
}

/** Objects that git cannot read are left out; the push itself is kept. */
function passOver<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (!isBeyondGit(error)) throw error
    return none
  }
}

function pushedOf(commits: readonly CommitRecord[], total: number, url: string): Pushed {
  const shown = commits.slice(0, COMMITS_SHOWN_MAX).map(presentCommit)
  return { Commits: shown, HeadCommit: shown[0] ?? null, CompareURL: url, Len: total }
}

async function findTagged(ctx: Context, place: Place, oid: string): Promise<CommitRecord | undefined> {
  let target = oid
  for (let depth = 0; depth < TAGS_DEEP_MAX; depth++) {
    const tag = await findTag(ctx, place.storage_id, target)
    if (tag === undefined) break
    target = tag.target.oid
  }
  return findCommit(ctx, place.storage_id, target)
}

function findPlace(ctx: Context, repositoryId: number): Promise<Place | undefined> {
  return ctx.db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.storage_id', 'repository.default_branch', 'repository.name', 'account.login'])
    .where('repository.id', '=', repositoryId)
    .executeTakeFirst()
}

function presentCommit({ oid, message, author, committer }: CommitRecord): PushedCommit {
  return {
    Sha1: oid,
    Message: message,
    AuthorEmail: author.email,
    AuthorName: author.name,
    CommitterEmail: committer.email,
    CommitterName: committer.name,
    Timestamp: localTime(author),
  }
}

function comparison({ login, name }: Place, from: string, to: string): string {
  return `${login}/${name}/compare/${from}...${to}`
}

/** Compat: content that is too long is dropped, because truncated JSON is invalid. PostgreSQL text cannot hold NUL. */
function contentOf(pushed: Pushed): string {
  const text = JSON.stringify(pushed).replaceAll('\\u0000', '')
  return text.length > CONTENT_LENGTH_MAX ? '{}' : text
}
