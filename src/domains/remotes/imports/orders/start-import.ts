/** Starts an import: inserts its row, which a worker picks up; the caller may wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNameFree,
  assertRepositoryName,
  getRepository,
  INTERVAL_DEFAULT_S,
  type Repository,
  readInterval,
} from '#domains/code/repositories'
import { isOrgOwner } from '#domains/people/orgs'
import { type Account, findAccount, findAccountById, isVisible } from '#domains/people/users'
import { type Actor, type Context, transact } from '#platform/context'
import { forbidden, invalid, Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { SignedIn } from '#platform/rest'
import { ATTEMPTS_MAX, IMPORT_JOB } from '../limits.ts'
import type { MigrateRepository } from '../schemas.ts'
import { assertCallable, readEndpoint, readSource, sealCredentials } from '../sources/source.ts'
import type { ImportOptions } from '../tables.ts'
import { getImport, insertImport } from './store.ts'

const WAIT_MIN_MS = 50
const WAIT_MAX_MS = 1_000

/** Returns the id of the import. A taken name is refused before the source is called. */
export async function startImport(
  ctx: Context,
  actor: SignedIn,
  input: MigrateRepository,
  people?: ImportOptions['people'],
): Promise<number> {
  const owner = await findOwner(ctx, actor, input)
  const source = readSource(input.clone_addr, {
    username: input.auth_username ?? '',
    password: input.auth_password ?? '',
    token: input.auth_token ?? '',
    tokens: input.auth_tokens ?? [],
  })
  await assertCallable(ctx, source.url)
  const lfsEndpoint =
    input.lfs && input.lfs_endpoint ? readEndpoint('lfs_endpoint', input.lfs_endpoint) : null
  const apiUrl = input.api_url ? readEndpoint('api_url', input.api_url) : null
  for (const url of [lfsEndpoint, apiUrl]) if (url !== null) await assertCallable(ctx, url)
  assertRepositoryName(input.repo_name)
  await assertNameFree(ctx, owner, input.repo_name)
  const options = { ...optionsOf(input, source.url), lfsEndpoint, apiUrl, ...(people && { people }) }
  return transact(ctx, async (ctx) => {
    const id = await insertImport(ctx.db, {
      owner_id: owner.id,
      actor_id: actor.id,
      name_key: input.repo_name.toLowerCase(),
      options,
      credentials: sealCredentials(ctx, source.credentials),
      created_at: ctx.now(),
    })
    if (id === undefined) throw new Problem('conflict', 'a migration to this repository name is in progress')
    await addJobs(ctx, [{ kind: IMPORT_JOB, payload: { import_id: id }, attemptsMax: ATTEMPTS_MAX }])
    return id
  })
}

/** Waits until the import has ended. If the client disconnects, only the waiting stops. */
export async function waitForImport(ctx: Context, id: number): Promise<Repository> {
  for (let pause = WAIT_MIN_MS; ; pause = Math.min(pause * 2, WAIT_MAX_MS)) {
    const { state, repository_id, failure } = await getImport(ctx.db, id)
    if (state === 'done' && repository_id !== null) return getRepository(ctx, repository_id)
    if (state === 'failed') throw new Problem(failure?.kind ?? 'invalid', failure?.message ?? 'it failed')
    if (state === 'cancelled' || state === 'done')
      throw new Problem('conflict', 'migration was cancelled, or its repository was deleted')
    await sleep(pause, undefined, { signal: ctx.signal })
  }
}

async function findOwner(ctx: Context, actor: SignedIn, input: MigrateRepository): Promise<Account> {
  const owner = await findNamed(ctx, actor, input)
  // Invisible and missing owners get the same answer.
  if (owner === undefined || !(await isVisible(ctx, owner)))
    throw invalid('user does not exist', { name: input.repo_owner, uid: input.uid })
  await assertMayImport(ctx, actor, owner)
  return owner
}

/** Checked at the start and again at the end, because an import may take an hour. */
export async function assertMayImport(ctx: Context, actor: Actor, owner: Account): Promise<void> {
  if (owner.id === actor.id || actor.isAdmin) return
  if (owner.kind !== 'organization') throw forbidden('given user is not an organization')
  if (!(await isOrgOwner(ctx.db, owner.id, actor.id)))
    throw forbidden('given user is not owner of organization')
}

async function findNamed(
  ctx: Context,
  actor: SignedIn,
  input: MigrateRepository,
): Promise<Account | undefined> {
  if (input.repo_owner) return findAccount(ctx.db, input.repo_owner)
  return input.uid ? findAccountById(ctx.db, input.uid) : actor.account
}

function optionsOf(input: MigrateRepository, url: string): ImportOptions {
  const isMirror = input.mirror ?? false
  // Compat: a mirror has neither imported releases nor imported issues.
  const isWanted = (asked: boolean | undefined) => asked === true && !isMirror
  return {
    name: input.repo_name,
    url,
    description: input.description ?? '',
    isPrivate: input.private ?? false,
    mirrorEveryS: isMirror ? intervalOf(input.mirror_interval ?? '') : null,
    withWiki: input.wiki ?? false,
    withReleases: isWanted(input.releases),
    withLabels: isWanted(input.labels),
    withMilestones: isWanted(input.milestones),
    withIssues: isWanted(input.issues),
    withPulls: isWanted(input.pull_requests),
    service: (input.service ?? '').toLowerCase(),
    withLfs: input.lfs ?? false,
  }
}

function intervalOf(text: string): number {
  const seconds = text === '' ? INTERVAL_DEFAULT_S : readInterval(text)
  if (typeof seconds === 'string') throw invalid(`mirror interval: ${seconds}`)
  return seconds
}
