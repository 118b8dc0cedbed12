/** Collaborators and protections of a source, in the transaction that creates the repository, as its creator. */
import { createBranchProtection, openToProtect } from '#domains/code/protections'
import { openToAdmin, setCollaborator } from '#domains/code/repositories'
import { findAccountById } from '#domains/people/users'
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import type { People } from '../records/match-people.ts'
import type { SourceApi } from '../sources/source-api.ts'
import type { LeftOut } from '../tables.ts'
import { listCollaborators, type SourceCollaborator } from './collaborators.ts'
import { listProtections, type SourceRule } from './protections.ts'

export interface SourceSettings {
  readonly collaborators: readonly SourceCollaborator[]
  readonly rules: readonly SourceRule[]
}

export async function gatherSettings(ctx: Context, api: SourceApi): Promise<SourceSettings> {
  return { collaborators: await listCollaborators(ctx, api), rules: await listProtections(ctx, api) }
}

interface Added extends SourceCollaborator {
  /** Here. */
  readonly username: string
}

/** Returns what is not taken over. */
export async function takeOver(
  ctx: TxContext,
  named: { readonly owner: string; readonly repo: string },
  { collaborators, rules }: SourceSettings,
  people: People,
): Promise<LeftOut> {
  const left: { collaborators: string[]; protections: string[] } = { collaborators: [], protections: [] }
  const added: Added[] = []
  for (const it of collaborators) {
    const username = await addCollaborator(ctx, named, it, people)
    if (username === undefined) left.collaborators.push(it.login)
    else added.push({ ...it, username })
  }
  for (const it of rules) {
    if (!(await addRule(ctx, named, it, added))) left.protections.push(it.name)
    else left.protections.push(...it.lacks.map((condition) => `${it.name}: ${condition}`))
  }
  return left
}

/** Returns the username here; undefined for a person who cannot be a collaborator here, which does not stop the import. */
async function addCollaborator(
  ctx: TxContext,
  named: { readonly owner: string; readonly repo: string },
  { login, level }: SourceCollaborator,
  people: People,
): Promise<string | undefined> {
  const person = people.get(login.toLowerCase())
  if (person === undefined || level === null) return undefined
  const account = await findAccountById(ctx.db, person.id)
  if (account === undefined || account.prohibits_login || account.is_suspended) return undefined
  try {
    await setCollaborator(ctx, await openToAdmin(ctx, named), account, level)
    return account.login
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function addRule(
  ctx: TxContext,
  named: { readonly owner: string; readonly repo: string },
  { rule, pushers, mergers }: SourceRule,
  added: readonly Added[],
): Promise<boolean> {
  if (rule === undefined) return false
  const namesOf = (list: SourceRule['pushers']) =>
    added
      .filter(({ level }) => level === 'write' || level === 'admin')
      .filter(({ id, login, level }) => {
        const isNamed = list?.ids.includes(id) || list?.logins.includes(login)
        return isNamed || (list?.areAdmins && level === 'admin')
      })
      .map(({ username }) => username)
  try {
    await createBranchProtection(ctx, await openToProtect(ctx, named), {
      ...rule,
      push_whitelist_usernames: namesOf(pushers),
      enable_merge_whitelist: mergers !== undefined,
      merge_whitelist_usernames: namesOf(mergers),
    })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
