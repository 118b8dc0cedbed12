/** Secrets and variables of Actions, and the runners that execute jobs. Runs and their logs stay behind. */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { REGISTRATION_PURPOSE } from '#domains/actions/runners'
import { SECRET_PURPOSE } from '#domains/actions/secrets'
import { digestOf, keepOldToken } from '#domains/code/keys'
import { carry, Left } from '../carry/carry.ts'
import type { SourceRow } from '../source/driver.ts'
import { flag, id, idsOf, list, number, object, text, time, timeOr, word } from '../source/fields.ts'
import { decryptActionSecret } from '../source/secrets.ts'

/** Of a repository, else of an account. */
function scopeOf(row: SourceRow): { repository_id: number | null; owner_id: number | null } {
  const repository_id = id(row.repo_id)
  return { repository_id, owner_id: repository_id === null ? id(row.owner_id) : null }
}

const secrets = carry({
  from: 'secret',
  into: 'action_secret',
  rows: (row, { ctx, installation }) => {
    let plain: string
    try {
      plain = decryptActionSecret(installation.secretKey, row)
    } catch {
      return new Left('SECRET_KEY of app.ini does not decrypt it')
    }
    return {
      id: number(row.id),
      ...scopeOf(row),
      name: text(row.name).toUpperCase(),
      sealed: ctx.seal.seal(SECRET_PURPOSE, plain),
      description: text(row.description),
      created_at: timeOr(row.created_unix, null),
    }
  },
})

const variables = carry({
  from: 'action_variable',
  into: 'action_variable',
  rows: (row) => {
    const scope = scopeOf(row)
    if (scope.owner_id === null && scope.repository_id === null)
      return new Left('variables of the whole site are not known here')
    return {
      id: number(row.id),
      ...scope,
      name: text(row.name).toUpperCase(),
      data: text(row.data),
      description: text(row.description),
      created_at: timeOr(row.created_unix, row.updated_unix),
    }
  },
})

const runners = carry<ReadonlyMap<number, string>>({
  name: 'action_runner → action_runner',
  from: 'select * from action_runner where deleted is null or deleted = 0',
  needs: ['action_runner'],
  into: 'action_runner',
  around: async (_, ctx, batch) => {
    const { rows } = await sql<{ id: number; digest: string }>`
      select id, token_digest::text as digest from action_runner where id = any(${idsOf(batch, 'id')}::bigint[])`.execute(
      ctx.db,
    )
    return new Map(rows.map((row) => [Number(row.id), row.digest]))
  },
  rows: (row, _, digests) => ({
    id: number(row.id),
    uuid: word(row.uuid),
    token_digest: digests.get(number(row.id)) ?? `\\x${randomBytes(32).toString('hex')}`,
    old_hash: keepOldToken(text(row.token_salt), text(row.token_hash)),
    name: text(row.name),
    version: text(row.version),
    ...scopeOf(row),
    labels: list(row.agent_labels).map(String),
    is_ephemeral: flag(row.ephemeral),
    is_disabled: flag(row.is_disabled),
    capabilities: flag(row.has_cancelling_support) ? ['cancelling'] : [],
    online_at: time(row.last_online),
    active_at: time(row.last_active),
    created_at: timeOr(row.created, row.updated),
    updated_at: timeOr(row.updated, row.created),
  }),
})

const registrations = carry({
  name: 'action_runner_token → action_runner_token',
  from: 'select * from action_runner_token where deleted is null or deleted = 0',
  needs: ['action_runner_token'],
  into: 'action_runner_token',
  rows: (row, { ctx }) => ({
    id: number(row.id),
    ...scopeOf(row),
    digest: `\\x${digestOf(text(row.token)).toString('hex')}`,
    sealed: ctx.seal.seal(REGISTRATION_PURPOSE, text(row.token)),
    is_active: flag(row.is_active),
    created_at: timeOr(row.created, row.updated),
  }),
})

const ACTIONS_UNIT = 10

/** Workflows that are switched off are a setting of the unit. */
const switchedOff = carry({
  name: 'repo_unit → action_workflow_off',
  from: `select * from repo_unit where type = ${ACTIONS_UNIT} and config like '%DisabledWorkflows%'`,
  into: 'action_workflow_off',
  key: ['repository_id', 'workflow_file'],
  isReplaced: true,
  rows: (row) => {
    const names = object(row.config).DisabledWorkflows
    return (Array.isArray(names) ? names : []).map((name) => ({
      repository_id: number(row.repo_id),
      workflow_file: String(name),
    }))
  },
})

export const actions = [secrets, variables, runners, registrations, switchedOff]
