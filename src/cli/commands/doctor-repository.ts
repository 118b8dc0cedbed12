/** `bloomery doctor repository`: verifies one repository, or all of them, against every byte in the store. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keyOf } from '#domains/people/users'
import { verifyMerges } from '#domains/review/merges'
import { listStorages, type StorageId, verifyStorage } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { openCommandLog } from '../command-log.ts'
import { explain } from '../explain.ts'
import { loadConfig } from '../load-config.ts'
import { openWorld } from '../open-world.ts'
import { say, tell } from '../say.ts'

/** `which` is `owner/name`, or the id of a storage as in logs; without it, all of them. */
export async function doctorRepository(
  file: string | undefined,
  which: string | undefined,
  options: { readonly all: boolean },
): Promise<void> {
  if ((which === undefined) !== options.all) {
    process.exitCode = 1
    return tell('specify a repository or --all')
  }
  const config = loadConfig(file === undefined ? {} : { file }).values
  // A separate folder: opening a cache empties it, and a node may be using the configured one.
  const folder = join(config['git.cache_folder'], `doctor-${process.pid}`)
  const listening = { host: config['http.host'], port: config['http.port'] }
  const log = openCommandLog(config)
  const open = await openWorld({ ...config, 'git.cache_folder': folder }, { listening, log })
  try {
    const ctx: Context = { ...open.world, actor: null, signal: new AbortController().signal }
    if (which !== undefined) await verify(ctx, await storageOf(ctx, which))
    else for await (const id of listStorages(ctx.db)) await verify(ctx, id)
  } finally {
    await open.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** An operator who can run this can read the database as well: there is no access check. */
async function storageOf(ctx: Context, which: string): Promise<StorageId> {
  if (/^\d+$/.test(which)) return Number(which) as StorageId
  const [owner = '', name = ''] = which.split('/')
  const found = await ctx.db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select('repository.storage_id')
    .where('account.login_key', '=', keyOf(owner))
    .where('repository.name_key', '=', keyOf(name))
    .executeTakeFirst()
  if (found === undefined) throw notFound('repository', which)
  return found.storage_id
}

/** A failure must not keep the other repositories from being verified. */
async function verify(ctx: Context, id: StorageId): Promise<void> {
  try {
    const { packs, refs, findings } = await verifyStorage(ctx, id)
    // Merges are recomputed from objects, so those must be complete.
    const merged = findings.length === 0 ? await verifyMerges(ctx, id) : { merges: 0, findings: [] }
    const { merges } = merged
    const wrongs = [...findings, ...merged.findings]
    if (wrongs.length === 0)
      say(
        `ok      ${await nameOf(ctx, id)}: ${packs} packs, ${refs} refs${merges > 0 ? `, ${merges} merges` : ''}`,
      )
    for (const { about, fault } of wrongs) wrong(await nameOf(ctx, id), `${about} ${fault}`)
  } catch (error) {
    const told = explain(error)
    if (told === undefined) tell((error as Error).stack ?? '')
    wrong(await nameOf(ctx, id), told?.join('; ') ?? (error as Error).message)
  }
}

/** Also while the database fails, which is what the line is about. */
function nameOf({ db, describeStorage }: Context, id: StorageId): Promise<string> {
  return describeStorage(db, id).catch(() => `storage ${id}`)
}

function wrong(name: string, what: string): void {
  process.exitCode = 1
  say(`error   ${name}: ${what}`)
}
