/** `repository` with its units and settings; grants, stars, watches, topics, languages, redirects, transfers. */

import { sql } from 'kysely'
import { createStorage } from '#git'
import type { TxContext } from '#platform/context'
import { carry, Left, type Move } from '../carry/carry.ts'
import { pictureIdOf, storePictures } from '../files/pictures.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, idsOf, list, number, object, text, time, timeOr, timesOf } from '../source/fields.ts'
import { settingsOf, type UnitRow, unitsOf } from './units.ts'

const TRUST = ['default', 'collaborator', 'committer', 'collaboratorcommitter'] as const
/** Repositories whose making or moving failed have other states. */
const READY = 0
const WAITS_FOR_TRANSFER = 2
const TOPIC = /^[a-z0-9][-.a-z0-9]{0,34}$/

interface Around {
  readonly storages: ReadonlyMap<number, number>
  readonly units: ReadonlyMap<number, readonly UnitRow[]>
  readonly languages: ReadonlyMap<number, string>
  readonly mirrors: ReadonlyMap<number, SourceRow>
}

const PICTURE = (row: SourceRow) => text(row.avatar)

const repositories = carry<Around>({
  from: 'repository',
  into: 'repository',
  before: (move, batch) => storePictures(move, move.source.files.repositoryAvatars, batch.map(PICTURE)),
  around: async (move, ctx, batch) => ({
    storages: await findStorages(ctx, batch.filter(isReady)),
    ...(await readAround(move, idsOf(batch, 'id'))),
  }),
  rows: (row, move, { storages, units, languages, mirrors }) => {
    if (!isReady(row)) return new Left('its making or moving has not ended')
    const own = number(row.id)
    const mirror = mirrors.get(own)
    const parts = units.get(own) ?? []
    return {
      id: own,
      owner_id: number(row.owner_id),
      storage_id: storages.get(own),
      name: text(row.name),
      name_key: text(row.lower_name),
      description: text(row.description),
      website: text(row.website),
      original_url: text(row.original_url),
      is_private: flag(row.is_private),
      is_template: flag(row.is_template),
      archived_at: flag(row.is_archived) ? timeOr(row.archived_unix, row.updated_unix) : null,
      default_branch: text(row.default_branch),
      object_format: text(row.object_format_name) === 'sha256' ? 'sha256' : 'sha1',
      units: unitsOf(parts),
      settings: settingsOf(parts),
      trust_model: TRUST[number(row.trust_model)] ?? 'default',
      topics: topicsOf(row),
      language: languages.get(own) ?? '',
      avatar: pictureIdOf(move, PICTURE(row)),
      is_mirror: mirror !== undefined,
      mirror_interval_s: mirror === undefined ? null : Math.floor(number(mirror.interval) / 1e9),
      mirror_synced_at: mirror === undefined ? null : time(mirror.updated_unix),
      mirror_updated_at: mirror === undefined ? null : time(mirror.updated_unix),
      mirror_next_at:
        mirror === undefined || id(mirror.interval) === null ? null : time(mirror.next_update_unix),
      ...timesOf(row),
    }
  },
})

function isReady(row: SourceRow): boolean {
  return [READY, WAITS_FOR_TRANSFER].includes(number(row.status))
}

function topicsOf(row: SourceRow): string[] {
  const topics = list(row.topics).filter((it): it is string => typeof it === 'string' && TOPIC.test(it))
  return [...new Set(topics)].sort()
}

/** Storages of repositories that are here already, and new ones for the others. */
async function findStorages(ctx: TxContext, rows: readonly SourceRow[]): Promise<Map<number, number>> {
  const found = await ctx.db
    .selectFrom('repository')
    .select(['id', 'storage_id'])
    .where('id', 'in', [0, ...idsOf(rows, 'id')])
    .execute()
  const storages = new Map<number, number>(found.map((it) => [it.id, it.storage_id]))
  const owners = await sql<{ id: number }>`
    select id from account where id = any(${idsOf(rows, 'owner_id')}::bigint[])`.execute(ctx.db)
  const known = new Set(owners.rows.map((it) => Number(it.id)))
  for (const row of rows) {
    if (storages.has(number(row.id)) || !known.has(number(row.owner_id))) continue
    const objectFormat = text(row.object_format_name) === 'sha256' ? 'sha256' : 'sha1'
    const head = `refs/heads/${text(row.default_branch) || 'main'}`
    storages.set(number(row.id), await createStorage(ctx.db, { objectFormat, head, now: ctx.now() }))
  }
  return storages
}

async function readAround({ source }: Move, ids: readonly number[]): Promise<Omit<Around, 'storages'>> {
  const among = `(${[0, ...ids].join(', ')})`
  const units = await source.rows(`select * from repo_unit where repo_id in ${among} order by id`)
  const languages = source.has('language_stat')
    ? await source.rows(`select * from language_stat where repo_id in ${among} order by size`)
    : []
  const mirrors = await source.rows(`select * from mirror where repo_id in ${among}`)
  return {
    units: Map.groupBy(
      units.map((row) => ({ type: number(row.type), config: object(row.config), row })),
      ({ row }) => number(row.repo_id),
    ),
    languages: new Map(languages.map((row) => [number(row.repo_id), text(row.language)])),
    mirrors: new Map(mirrors.map((row) => [number(row.repo_id), row])),
  }
}

/** A fork may have a smaller id than the repository it was made from. */
const forks = carry({
  name: 'repository.fork_id → repository.parent_id',
  from: 'select id, fork_id from repository where fork_id > 0',
  into: 'repository',
  rows: () => [],
  after: async (_, ctx, batch) => {
    await sql`update repository set parent_id = given.parent_id
      from (select * from json_to_recordset(${JSON.stringify(batch.map((row) => ({ id: number(row.id), parent_id: number(row.fork_id) })))})
        as it (id bigint, parent_id bigint)) as given
      where repository.id = given.id and repository.parent_id is distinct from given.parent_id
        and exists (select from repository as parent where parent.id = given.parent_id)`.execute(ctx.db)
  },
})

const counters = carry({
  name: 'repository → repository_count',
  from: 'select id from repository',
  into: 'repository_count',
  key: ['repository_id'],
  rows: (row) => ({ repository_id: number(row.id) }),
})

const redirects = carry({
  from: 'repo_redirect',
  into: 'repository_redirect',
  key: ['owner_id', 'name_key'],
  isReplaced: true,
  rows: (row) => ({
    owner_id: number(row.owner_id),
    name_key: text(row.lower_name),
    repository_id: number(row.redirect_repo_id),
  }),
})

const COLLABORATIONS: Readonly<Record<number, string>> = { 1: 'read', 2: 'write', 3: 'admin', 4: 'admin' }

const collaborators = carry({
  from: 'collaboration',
  into: 'collaboration',
  key: ['repository_id', 'user_id'],
  isReplaced: true,
  rows: (row) => ({
    repository_id: number(row.repo_id),
    user_id: number(row.user_id),
    level: COLLABORATIONS[number(row.mode)] ?? 'read',
    created_at: timeOr(row.created_unix, null),
  }),
})

const stars = carry({
  from: 'star',
  into: 'star',
  key: ['user_id', 'repository_id'],
  isReplaced: true,
  rows: (row) => ({
    user_id: number(row.uid),
    repository_id: number(row.repo_id),
    created_at: timeOr(row.created_unix, null),
  }),
})

/** 1: on request, 3: because they took part. The others are «do not watch». */
const WATCHING: ReadonlySet<number> = new Set([1, 3])

const watches = carry({
  from: 'watch',
  into: 'watch',
  key: ['user_id', 'repository_id'],
  isReplaced: true,
  rows: (row) =>
    WATCHING.has(number(row.mode))
      ? {
          user_id: number(row.user_id),
          repository_id: number(row.repo_id),
          created_at: timeOr(row.created_unix, null),
        }
      : [],
})

const languages = carry({
  from: 'language_stat',
  into: 'repository_language',
  key: ['repository_id', 'language'],
  isReplaced: true,
  rows: (row) => ({
    repository_id: number(row.repo_id),
    language: text(row.language),
    bytes: number(row.size),
  }),
})

const transfers = carry({
  from: 'repo_transfer',
  into: 'repository_transfer',
  key: ['repository_id'],
  isReplaced: true,
  rows: (row) => ({
    repository_id: number(row.repo_id),
    actor_id: number(row.doer_id),
    recipient_id: number(row.recipient_id),
    team_ids: list(row.team_i_ds).filter(Number.isSafeInteger),
    created_at: timeOr(row.created_unix, row.updated_unix),
  }),
})

export const records = [repositories, forks, counters]
export const ties = [redirects, collaborators, stars, watches, languages, transfers]
