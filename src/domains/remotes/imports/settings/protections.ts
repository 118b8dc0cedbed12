/**
 * Protected branches of sources as rules of ours. People who are not here are on no list, so that nobody may do more. Pure,
 * except for the listing.
 */
import { type Static, Type } from 'typebox'
import type { CreateBranchProtection } from '#domains/code/protections'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { flag } from '../sources/fields.ts'
import { askRecord, listPages } from '../sources/list-pages.ts'
import type { SourceApi } from '../sources/source-api.ts'

const RULES_MAX = 200
const LIST_MAX = 500
const Name = Type.String({ minLength: 1, maxLength: 255 })
const words = { many: 'protected branches', one: 'protected branch', mayBeMissing: true } as const

const Level = Type.Object({
  access_level: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  user_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  group_id: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})
const levels = Type.Optional(Type.Array(Level, { maxItems: LIST_MAX }))
const GitLabRule = Type.Object({
  name: Name,
  push_access_levels: levels,
  merge_access_levels: levels,
  allow_force_push: flag,
  code_owner_approval_required: flag,
})
const GitHubBranch = Type.Object({ name: Name })
const Enabled = Type.Optional(Type.Union([Type.Object({ enabled: flag }), Type.Null()]))
const Login = Type.Object({ login: Type.String({ maxLength: 255 }) })
const orNull = <T extends ReturnType<typeof Type.Object>>(it: T) =>
  Type.Optional(Type.Union([it, Type.Null()]))
const GitHubRule = Type.Object({
  required_pull_request_reviews: Type.Optional(
    Type.Union([
      Type.Object({
        required_approving_review_count: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
        dismiss_stale_reviews: flag,
        require_code_owner_reviews: flag,
      }),
      Type.Null(),
    ]),
  ),
  required_status_checks: Type.Optional(
    Type.Union([
      Type.Object({ strict: flag, contexts: Type.Optional(Type.Array(Name, { maxItems: LIST_MAX })) }),
      Type.Null(),
    ]),
  ),
  restrictions: orNull(Type.Object({ users: Type.Optional(Type.Array(Login, { maxItems: LIST_MAX })) })),
  enforce_admins: Enabled,
  required_signatures: Enabled,
  allow_force_pushes: Enabled,
  lock_branch: Enabled,
  // Not known here.
  required_linear_history: Enabled,
  required_conversation_resolution: Enabled,
})

/** Who is on a list: people at the source by id or login, and everybody of a level. */
interface Listed {
  readonly ids: readonly number[]
  readonly logins: readonly string[]
  readonly areAdmins: boolean
}

export interface SourceRule {
  readonly name: string
  /** Undefined if it cannot be said here. */
  readonly rule: CreateBranchProtection | undefined
  /** Who alone may push and merge; undefined: no list. */
  readonly pushers: Listed | undefined
  readonly mergers: Listed | undefined
  /** Conditions of the source that are not known here. */
  readonly lacks: readonly string[]
}

export async function listProtections(ctx: Context, api: SourceApi): Promise<SourceRule[]> {
  return api.name === 'gitlab' ? listOfGitLab(ctx, api) : listOfGitHub(ctx, api)
}

async function listOfGitLab(ctx: Context, api: SourceApi): Promise<SourceRule[]> {
  const found: SourceRule[] = []
  const listed = { ...words, path: '/protected_branches?', item: GitLabRule }
  for await (const { items } of listPages(ctx, api, listed)) {
    found.push(...items.map(readGitLab))
    assertFew(found)
  }
  return found
}

async function listOfGitHub(ctx: Context, api: SourceApi): Promise<SourceRule[]> {
  const found: SourceRule[] = []
  const listed = { ...words, path: '/branches?protected=true&', item: GitHubBranch }
  for await (const { items } of listPages(ctx, api, listed))
    for (const { name } of items) {
      const path = `/branches/${encodeURIComponent(name)}/protection`
      // Undefined if a ruleset protects it, or the token may not see how.
      const rule = await askRecord(ctx, api, path, GitHubRule)
      found.push(rule === undefined ? unsaid(name) : readGitHub(name, rule))
      assertFew(found)
    }
  return found
}

function assertFew(rules: readonly SourceRule[]): void {
  if (rules.length > RULES_MAX) throw invalid('Migration failed: too many protected branches')
}

function unsaid(name: string): SourceRule {
  return { name, rule: undefined, pushers: undefined, mergers: undefined, lacks: [] }
}

const DEVELOPER = 30
const MAINTAINER = 40

/** Several levels hold side by side: who has one of them may. */
function readGitLab(told: Static<typeof GitLabRule>): SourceRule {
  // Other signs of patterns are letters there.
  if (/[[\]{}?\\!]/.test(told.name)) return unsaid(told.name)
  const pushers = listOf(told.push_access_levels)
  const isForced = told.allow_force_push ?? false
  return {
    name: told.name,
    rule: {
      // There, a star stands for slashes too.
      rule_name: told.name.replaceAll('*', '**'),
      enable_push: true,
      enable_push_whitelist: pushers !== undefined,
      enable_force_push: isForced,
      block_on_codeowner_reviews: told.code_owner_approval_required ?? false,
    },
    pushers,
    mergers: listOf(told.merge_access_levels),
    lacks: [],
  }
}

function listOf(told: readonly Static<typeof Level>[] = []): Listed | undefined {
  const general = told.filter((it) => !it.user_id && !it.group_id).map((it) => it.access_level ?? 0)
  if (general.some((level) => level > 0 && level <= DEVELOPER)) return undefined
  return {
    ids: told.flatMap((it) => it.user_id ?? []),
    logins: [],
    areAdmins: general.includes(MAINTAINER),
  }
}

const NOBODY: Listed = { ids: [], logins: [], areAdmins: false }
const LACKING = ['required_linear_history', 'required_conversation_resolution'] as const

function readGitHub(name: string, told: Static<typeof GitHubRule>): SourceRule {
  const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = told
  const logins = (restrictions?.users ?? []).map(({ login }) => login)
  const isLocked = told.lock_branch?.enabled ?? false
  const pushers = isLocked ? NOBODY : restrictions ? { ...NOBODY, logins } : undefined
  return {
    name,
    rule: {
      rule_name: name.replace(/[*?[\]{}!\\]/g, '\\$&'),
      enable_push: !reviews,
      enable_push_whitelist: pushers !== undefined,
      enable_force_push: !reviews && (told.allow_force_pushes?.enabled ?? false),
      required_approvals: reviews?.required_approving_review_count ?? 0,
      dismiss_stale_approvals: reviews?.dismiss_stale_reviews ?? false,
      block_on_codeowner_reviews: reviews?.require_code_owner_reviews ?? false,
      enable_status_check: Boolean(checks),
      status_check_contexts: checks?.contexts ?? [],
      block_on_outdated_branch: checks?.strict ?? false,
      require_signed_commits: told.required_signatures?.enabled ?? false,
      block_admin_merge_override: told.enforce_admins?.enabled ?? false,
    },
    pushers,
    mergers: pushers,
    lacks: LACKING.filter((condition) => told[condition]?.enabled),
  }
}
