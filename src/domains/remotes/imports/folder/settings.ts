/** Settings, topics, collaborators and protections of an exported repository, which operations of the REST API write. */
import type { TxContext } from '#platform/context'
import { invalid } from '#platform/problem'
import type { OperationId } from '#platform/rest'
import type { Matched, People } from '../records/match-people.ts'
import type { ExportedRepository, RepositoryRecord } from './exported-repository.ts'

/** The access checks and schemas of each operation hold: an export can do nothing that its importer cannot. */
export type Change = (ctx: TxContext) => {
  ask(id: OperationId, given: Readonly<Record<string, string>>, body: object): Promise<unknown>
}

export const CHANGES = [
  'repoEdit',
  'repoUpdateTopics',
  'repoAddCollaborator',
  'repoCreateBranchProtection',
  'repoCreateTagProtection',
] as const satisfies readonly OperationId[]

type Body = Readonly<Record<string, unknown>>

export interface Settings {
  readonly edit: Body
  readonly isArchived: boolean
  readonly topics: readonly string[]
  readonly collaborators: readonly { readonly login: string; readonly permission: string }[]
  readonly branchRules: readonly Body[]
  readonly tagRules: readonly Body[]
}

const EDITED = [
  'website',
  'template',
  'has_code',
  'has_issues',
  'internal_tracker',
  'external_tracker',
  'has_wiki',
  'external_wiki',
  'has_pull_requests',
  'has_projects',
  'projects_mode',
  'has_releases',
  'has_packages',
  'has_actions',
  'ignore_whitespace_conflicts',
  'allow_merge_commits',
  'allow_rebase',
  'allow_rebase_explicit',
  'allow_squash_merge',
  'allow_fast_forward_only_merge',
  'allow_merge_update',
  'allow_rebase_update',
  'allow_manual_merge',
  'autodetect_manual_merge',
  'default_delete_branch_after_merge',
  'default_merge_style',
  'default_update_style',
  'default_allow_maintainer_edit',
]
const RECORDS_MAX = 1_000

/** Read before the transaction. */
export async function readSettings(
  repository: ExportedRepository,
  record: RepositoryRecord,
  people: People,
): Promise<Settings> {
  const edit = EDITED.flatMap((field) => {
    const value = record[field]
    return value === undefined || value === null ? [] : [[field, value] as const]
  })
  const collaborators = (await readAll(repository, 'collaborators')).flatMap(({ login, permission }) => {
    const person = find(people, login)
    return person === undefined ? [] : [{ login: person.login, permission: String(permission ?? 'read') }]
  })
  return {
    edit: Object.fromEntries(edit),
    isArchived: record.archived,
    topics: record.topics ?? [],
    collaborators,
    branchRules: (await readAll(repository, 'branch_protections')).map((it) => matched(it, people)),
    tagRules: (await readAll(repository, 'tag_protections')).map((it) => matched(it, people)),
  }
}

/** As the creator of the repository. */
export async function complete(
  { actor }: TxContext,
  api: ReturnType<Change>,
  named: { readonly owner: string; readonly repo: string },
  settings: Settings,
): Promise<void> {
  const given = { owner: named.owner, repo: named.repo }
  await api.ask('repoEdit', given, settings.edit)
  if (settings.topics.length > 0) await api.ask('repoUpdateTopics', given, { topics: settings.topics })
  for (const { login, permission } of settings.collaborators) {
    // The owner needs no collaboration.
    if (login.toLowerCase() === named.owner.toLowerCase()) continue
    await api.ask('repoAddCollaborator', { ...given, collaborator: login }, { permission })
  }
  for (const rule of settings.branchRules) await api.ask('repoCreateBranchProtection', given, rule)
  for (const rule of settings.tagRules) {
    // A rule without anybody is none, so the importer stands in for people who are not here.
    const names = rule.whitelist_usernames as readonly string[] | undefined
    const whitelist_usernames = names?.length ? names : [actor?.login]
    await api.ask('repoCreateTagProtection', given, { ...rule, whitelist_usernames })
  }
  if (settings.isArchived) await api.ask('repoEdit', given, { archived: true })
}

async function readAll(repository: ExportedRepository, kind: string): Promise<Body[]> {
  const records: Body[] = []
  for await (const record of repository.lines(kind)) {
    if (typeof record !== 'object' || record === null || records.length >= RECORDS_MAX)
      throw invalid(`${kind}.jsonl is not of the format`)
    records.push(record as Body)
  }
  return records
}

/** People by their logins here. Those who are not here, and teams, get nothing. */
function matched(rule: Body, people: People): Body {
  return Object.fromEntries(
    Object.entries(rule).map(([field, value]) => {
      if (!Array.isArray(value)) return [field, value]
      if (/_teams$/.test(field)) return [field, []]
      const isOfPeople = /_usernames?$/.test(field)
      return [field, isOfPeople ? value.flatMap((login) => find(people, login)?.login ?? []) : value]
    }),
  )
}

function find(people: People, login: unknown): Matched | undefined {
  return typeof login === 'string' ? people.get(login.toLowerCase()) : undefined
}
