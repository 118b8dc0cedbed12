/**
 * Webhook events also trigger workflows, under the event names of workflows. `github.event` is the payload that a
 * webhook receives.
 */

import type { Repository } from '#domains/code/repositories'
import { findPull } from '#domains/review/pulls'
import { diffFiles, findMergeBase, findRef, HEADS, isZeroOid, resolveRevision, TAGS } from '#git'
import type { Context } from '#platform/context'
import type { WebhookEvent, WebhookType } from '#slices'
import { findWorkflows } from '../files/find-workflows.ts'
import type { Cause } from './order-runs.ts'

/** The fields of a webhook payload that are read here; no payload has all of them. */
interface Content {
  readonly action?: string
  readonly sha?: string
  readonly pull_request?: Pull | null
  readonly release?: { readonly tag_name?: string }
  readonly workflow?: { readonly name?: string } | null
  readonly workflow_run?: { readonly event?: string }
}
interface Pull {
  readonly merge_base?: string
  readonly head: { readonly ref: string }
}
interface Facts {
  /** Number of a pull request. */
  readonly number?: number
  readonly ref?: string
  readonly sha?: string
  readonly before?: string
  readonly after?: string
}
/** Input for the function that makes causes. */
interface Told {
  readonly repo: Repository
  readonly facts: Facts
  readonly actorId: number
  /** The webhook payload; null if its subject was deleted. */
  readonly read: () => Promise<Content | null>
}
type Make = (ctx: Context, told: Told) => Promise<Cause[]>

/** Compat: webhook actions whose activity type in workflows has another name. */
const TYPES: Readonly<Record<string, string>> = {
  synchronized: 'synchronize',
  label_updated: 'labeled',
  label_cleared: 'unlabeled',
  reviewed: 'submitted',
  updated: 'edited',
}

const ofIssue = onDefaultBranch('issues')
const ofComment = onDefaultBranch('issue_comment')
const ofPull = onPull('pull_request', 'pull_request_target')
const ofReview = onPull('pull_request_review')

export const CAUSES: Readonly<Partial<Record<WebhookType, Make>>> = {
  push: ofPush,
  create: ofCreation,
  delete: onDefaultBranch('delete'),
  fork: onDefaultBranch('fork'),
  wiki: onDefaultBranch('gollum'),
  issues: ofIssue,
  issue_assign: ofIssue,
  issue_label: ofIssue,
  issue_milestone: ofIssue,
  issue_comment: ofComment,
  pull_request_comment: ofComment,
  pull_request: ofPull,
  pull_request_sync: ofPull,
  pull_request_assign: ofPull,
  pull_request_label: ofPull,
  pull_request_milestone: ofPull,
  pull_request_review_request: ofPull,
  pull_request_review_approved: ofReview,
  pull_request_review_rejected: ofReview,
  pull_request_review_comment: ofReview,
  release: ofRelease,
  package: onDefaultBranch('registry_package'),
  workflow_run: ofRun,
}

/** Events that trigger only the workflows of the default branch. */
export const ON_DEFAULT_BRANCH: ReadonlySet<WebhookType> = new Set<WebhookType>([
  'delete',
  'fork',
  'wiki',
  'issues',
  'issue_assign',
  'issue_label',
  'issue_milestone',
  'issue_comment',
  'pull_request_comment',
  'package',
])

/** The causes of runs in a webhook event; empty if its subject was deleted. */
export async function causesOf(ctx: Context, repo: Repository, event: WebhookEvent): Promise<Cause[]> {
  const make = CAUSES[event.type]
  const payload = ctx.payloads.get(event.type)
  if (make === undefined || payload === undefined || isRemoval(event)) return []
  const { facts } = event
  return make(ctx, {
    repo,
    facts: facts as Facts,
    actorId: facts.actor_id,
    read: () => payload.build(ctx, facts),
  })
}

/** Avoids building the payload of an event that no workflow is triggered by. */
async function isHeard(ctx: Context, repo: Repository, sha: string, event: string): Promise<boolean> {
  const found = await findWorkflows(ctx, repo, sha)
  return found.some(({ read }) => read?.triggers.some((it) => it.event === event))
}

/** A deleted ref has no commit at which to look for workflows. */
function isRemoval({ type, facts }: WebhookEvent): boolean {
  const { after } = facts as Facts
  return type === 'push' && (after === undefined || isZeroOid(after))
}

function typeOf({ action }: Content): string | null {
  return action === undefined ? null : (TYPES[action] ?? action)
}

async function ofPush(ctx: Context, { repo, facts, read, actorId }: Told): Promise<Cause[]> {
  const { ref = '', before = '', after = '' } = facts
  const isTag = ref.startsWith(TAGS)
  // A tag may be annotated: its oid is then that of the tag object.
  const sha = isTag ? (await resolveRevision(ctx, repo.storage_id, ref))?.oid : after
  if (sha === undefined || !(await isHeard(ctx, repo, sha, 'push'))) return []
  const content = await read()
  if (content === null) return []
  const place = isTag ? { tag: ref.slice(TAGS.length) } : { branch: ref.slice(HEADS.length) }
  const findPaths = once(() => findPushed(ctx, repo, before, after))
  return [
    {
      repo,
      actorId,
      ref,
      sha,
      payload: content,
      happening: { event: 'push', type: null, ...place },
      findPaths,
    },
  ]
}

/** A new branch is compared with its merge base with the default branch. */
async function findPushed(ctx: Context, repo: Repository, before: string, after: string) {
  const from = isZeroOid(before) ? await findFork(ctx, repo, after) : before
  return from === null ? null : findChanged(ctx, repo, from, after)
}

async function findFork(ctx: Context, repo: Repository, after: string): Promise<string | null> {
  const base = await findRef(ctx.db, repo.storage_id, HEADS + repo.default_branch)
  if (base === undefined || base.oid === after) return null
  return (await findMergeBase(ctx, repo.storage_id, base.oid, after)) ?? null
}

async function findChanged(ctx: Context, repo: Repository, from: string, to: string) {
  const { files, isTruncated } = await diffFiles(ctx, repo.storage_id, { from, to }, { withRenames: false })
  return isTruncated ? null : files.map(({ path }) => path)
}

async function ofCreation(ctx: Context, { repo, facts, read, actorId }: Told): Promise<Cause[]> {
  const { ref = '' } = facts
  const sha = (await resolveRevision(ctx, repo.storage_id, ref))?.oid
  const content = sha !== undefined && (await isHeard(ctx, repo, sha, 'create')) ? await read() : null
  if (sha === undefined || content === null) return []
  return [{ repo, actorId, ref, sha, payload: content, happening: { event: 'create', type: null } }]
}

function onDefaultBranch(event: string): Make {
  return async (ctx, { repo, read, actorId }) => {
    const ref = HEADS + repo.default_branch
    const sha = (await findRef(ctx.db, repo.storage_id, ref))?.oid
    const content = sha !== undefined && (await isHeard(ctx, repo, sha, event)) ? await read() : null
    if (sha === undefined || content === null) return []
    return [{ repo, actorId, ref, sha, payload: content, happening: { event, type: typeOf(content) } }]
  }
}

/** `event` runs at the head of the pull request, `target` at its base branch. */
function onPull(event: string, target?: string): Make {
  return async (ctx, { repo, facts, read, actorId }) => {
    const content = await read()
    const shown = content?.pull_request
    const { number = 0 } = facts
    const pull = shown ? await findPull(ctx.db, repo.id, number) : undefined
    if (!content || !shown || pull === undefined) return []
    const sha = facts.after ?? pull.head_oid
    const findPaths = once(async () => {
      const base = shown.merge_base || (await findForkPoint(ctx, repo, pull.base_branch, sha))
      return base ? findChanged(ctx, repo, base, sha) : null
    })
    const shared = {
      repo,
      actorId,
      payload: content,
      headRef: shown.head.ref,
      baseRef: pull.base_branch,
      issueId: pull.issue_id,
      findPaths,
    }
    const happening = { type: typeOf(content), branch: pull.base_branch }
    const ref = `refs/pull/${number}/head`
    const causes: Cause[] = sha === '' ? [] : [{ ...shared, ref, sha, happening: { ...happening, event } }]
    const base = target && (await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch))
    if (target !== undefined && base)
      causes.push({ ...shared, ref: base.name, sha: base.oid, happening: { ...happening, event: target } })
    return causes
  }
}

async function findForkPoint(ctx: Context, repo: Repository, branch: string, head: string) {
  const base = await findRef(ctx.db, repo.storage_id, HEADS + branch)
  return base && findMergeBase(ctx, repo.storage_id, base.oid, head)
}

async function ofRelease(ctx: Context, told: Told): Promise<Cause[]> {
  const { repo, actorId } = told
  const content = await told.read()
  const tag = content?.release?.tag_name ?? ''
  const ref = TAGS + tag
  const sha = tag === '' ? undefined : (await resolveRevision(ctx, repo.storage_id, ref))?.oid
  if (sha === undefined || content === null) return onDefaultBranch('release')(ctx, told)
  return [
    { repo, actorId, ref, sha, payload: content, happening: { event: 'release', type: typeOf(content) } },
  ]
}

/** Runs triggered by `workflow_run` do not trigger it again: two workflows could start each other forever. */
async function ofRun(ctx: Context, told: Told): Promise<Cause[]> {
  const causes = await onDefaultBranch('workflow_run')(ctx, told)
  return causes.flatMap((cause) => {
    const { workflow, workflow_run } = cause.payload as Content
    if (workflow_run?.event === 'workflow_run') return []
    return [{ ...cause, happening: { ...cause.happening, workflow: workflow?.name ?? '' } }]
  })
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () => {
    found ??= find()
    return found
  }
}
