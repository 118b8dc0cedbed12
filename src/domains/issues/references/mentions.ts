/** Who is meant by a text: those of the people and teams it names that may read it. One query. */
import { sql } from 'kysely'
import { type Collaboration, decideAccess, may, type TeamGrant, type Unit } from '#domains/access'
import type { Mention } from '#domains/markup'
import { grantsOf, type Repository } from '#domains/repositories'
import { keyOf } from '#domains/users'
import type { Context } from '#platform/context'
import type { IssueRow } from '../tables.ts'

/** A team may have very many members: of all who are meant by one text, whom it names first, no more are told. */
export const MENTIONED_MAX = 100

interface Named {
  readonly id: number
  readonly is_admin: boolean
  readonly is_restricted: boolean
  readonly collaboration: Collaboration | null
  readonly is_member: boolean
  readonly teams: TeamGrant[] | null
}

/** Neither whoever wrote it nor who blocked them is among them. A team is meant where it works on the repository. */
export async function findMentioned(
  ctx: Context,
  repo: Repository,
  issue: Pick<IssueRow, 'is_pull'>,
  actor: { readonly id: number },
  mentions: readonly Mention[],
): Promise<number[]> {
  if (mentions.length === 0) return []
  const { rows } = await selectNamed(repo, actor.id, mentions).execute(ctx.db)
  const unit = issue.is_pull ? 'pulls' : 'issues'
  return rows.filter((person) => may(accessOf(repo, person), 'read', unit)).map(({ id }) => id)
}

export function selectNamed(repo: Repository, actorId: number, mentions: readonly Mention[]) {
  const people = mentions.filter(({ team }) => team === null).map(({ login }) => keyOf(login))
  const teams = mentions
    .filter(({ team, login }) => team !== null && keyOf(login) === keyOf(repo.owner.login))
    .map(({ team }) => team?.toLowerCase() ?? '')
  const { collaboration, is_member, teams: grants } = grantsOf(sql<number>`account.id`, repo)
  return sql<Named>`select account.id, account.is_admin, account.is_restricted,
      ${collaboration} as collaboration, ${is_member} as is_member, ${grants} as teams
    from account
    where account.id in (
      select named.id from account as named where named.login_key = any(${people}::text[])
      union select team_member.user_id from team
        join team_repository on team_repository.team_id = team.id
          and team_repository.repository_id = ${repo.id}
        join team_member on team_member.team_id = team.id
      where team.organization_id = ${repo.owner_id} and team.name_key = any(${teams}::text[]))
    and account.kind <> 'organization' and account.is_active and not account.prohibits_login
    and account.id <> ${actorId}
    and not exists (select 1 from account_block
      where account_block.blocker_id = account.id and account_block.blocked_id = ${actorId})
    order by account.login_key = any(${people}::text[]) desc, account.id
    limit ${sql.lit(MENTIONED_MAX)}`
}

function accessOf(repo: Repository, person: Named) {
  const { owner } = repo
  return decideAccess({
    actor: {
      id: person.id,
      isAdmin: person.is_admin,
      isRestricted: person.is_restricted,
      publicOnly: false,
    },
    owner: {
      id: owner.id,
      kind: owner.kind === 'organization' ? 'organization' : 'user',
      visibility: owner.visibility,
    },
    repository: {
      isPrivate: repo.is_private,
      isArchived: repo.archived_at !== null,
      enabledUnits: new Set(repo.units as Unit[]),
    },
    collaboration: person.collaboration,
    teams: person.teams ?? [],
    isOrganizationMember: person.is_member,
  })
}
