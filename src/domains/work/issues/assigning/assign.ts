/** Changes the assignees of an issue. */
import {
  findAccessOf,
  findPerson,
  mayBeAssigned,
  type Repository,
  type Visible,
} from '#domains/code/repositories'
import { type Account, isBlocked } from '#domains/people/users'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { forbidden, invalid } from '#platform/problem'
import { eventOf } from '../events.ts'
import { applyChange, beginChange, type Change } from '../records/change.ts'
import { type Caller, openToWork } from '../records/open-issue.ts'
import type { IssueRow } from '../tables.ts'
import { deleteAssignees, insertAssignees, listAssigneeIds } from './store.ts'

/** Adds or removes users; no-op for users who are (not) assigned already. */
export function changeAssignees(
  ctx: Context,
  { tracker, actor }: Caller,
  number: number,
  logins: readonly string[],
  how: 'add' | 'remove',
): Promise<IssueRow> {
  return transact(ctx, async (ctx) => {
    const { repo, issue } = await openToWork(ctx, tracker, number)
    const people = await getPeople(ctx, tracker, logins)
    const now = await assigneesOf(ctx, issue)
    const named = people.map(({ id }) => id)
    const wanted = how === 'add' ? [...now, ...named] : now.filter((id) => !named.includes(id))
    const change = beginChange(issue, actor)
    await setAssignees(ctx, change, repo, now, people, new Set(wanted))
    return applyChange(ctx, change)
  })
}

/** Users by login; an unknown login is a client error. */
export async function getPeople(ctx: Context, repo: Visible, logins: readonly string[]): Promise<Account[]> {
  const people: Account[] = []
  for (const login of new Set(logins.map((it) => it.toLowerCase()))) {
    const person = await findPerson(ctx, repo, login)
    if (person === undefined || person.kind === 'organization')
      throw invalid('assignee does not exist', { login })
    people.push(person)
  }
  return people
}

export async function assigneesOf({ db }: Context, { id }: IssueRow): Promise<readonly number[]> {
  return (await listAssigneeIds(db, [id])).get(id) ?? []
}

/** Replaces the assignees `now` by `wanted`. `known`: accounts of the new ones. */
export async function setAssignees(
  ctx: TxContext,
  change: Change,
  repo: Repository,
  now: readonly number[],
  known: readonly Account[],
  wanted: ReadonlySet<number>,
): Promise<void> {
  const { issue, actor, entries, telling } = change
  const removed = now.filter((id) => !wanted.has(id))
  const added = known.filter(({ id }) => wanted.has(id) && !now.includes(id))
  for (const person of added) await assertAssignable(ctx, repo, actor, person)
  await deleteAssignees(ctx.db, issue.id, removed)
  await insertAssignees(
    ctx,
    issue.id,
    added.map(({ id }) => id),
  )
  const event = eventOf(issue, actor)
  for (const id of removed) {
    entries.push({ kind: 'assignees', payload: { assignee_id: id, is_removed: true } })
    telling.push(() => emit(ctx, 'issue.unassigned', { ...event, assignee_id: id }))
  }
  for (const { id } of added) {
    entries.push({ kind: 'assignees', payload: { assignee_id: id } })
    telling.push(() => emit(ctx, 'issue.assigned', { ...event, assignee_id: id }))
  }
}

async function assertAssignable(
  ctx: TxContext,
  repo: Repository,
  actor: { readonly id: number },
  person: Account,
): Promise<void> {
  const access = await findAccessOf(ctx, repo.id, person)
  if (access === undefined || !mayBeAssigned(access))
    throw invalid('user cannot be assigned to issues', { login: person.login })
  if (await isBlocked(ctx.db, person.id, actor.id)) throw forbidden('user is blocked')
}
