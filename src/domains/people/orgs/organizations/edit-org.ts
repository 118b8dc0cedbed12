/** Edits, renames and deletes an organization. */

import {
  assertEmail,
  assertLogin,
  forgetUser,
  lacksSecondFactor,
  renameAccount,
  updateAccount,
} from '#domains/people/users'
import { type Context, type TxContext, transact } from '#platform/context'
import { isUniqueViolation } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { OrphanOrg } from '../grants.ts'
import type { EditOrg } from '../schemas.ts'
import { forgetServiceAccountsOf } from '../service-accounts/service-accounts.ts'
import type { OrgRecord } from '../tables.ts'
import type { OwnedOrg } from './open-org.ts'
import { findOrgById, lockOrg, lockOrgWhole, updateOrg } from './store.ts'

/** All changes or none. */
export async function editOrganization(ctx: Context, org: OwnedOrg, edit: EditOrg): Promise<OrgRecord> {
  if (edit.email) assertEmail(edit.email)
  if (edit.requires_second_factor && ctx.actor !== null && lacksSecondFactor(ctx.actor.account))
    throw invalid('set up two-factor authentication for your own account first')
  const { repo_admin_change_team_access, ...profile } = edit
  return transact(ctx, async (ctx) => {
    await updateAccount(ctx.db, org.id, { ...profile, updated_at: ctx.now() })
    if (repo_admin_change_team_access !== undefined)
      await updateOrg(ctx.db, org.id, repo_admin_change_team_access)
    return getOrg(ctx, org)
  })
}

/** The old name redirects to the new one. */
export async function renameOrganization(ctx: Context, org: OwnedOrg, name: string): Promise<void> {
  assertLogin(name)
  await transact(ctx, async (ctx) => {
    await lockOrg(ctx.db, org.id)
    const current = await getOrg(ctx, org)
    try {
      await renameAccount(ctx.db, current, name, ctx.now())
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid('name already exists', { name })
      throw error
    }
  })
}

/** Refuses an organization that owns repositories; teams and memberships are deleted with it. */
export async function deleteOrganization(ctx: Context, org: OwnedOrg | OrphanOrg): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockOrgWhole(ctx.db, org.id)
    const current = await getOrg(ctx, org)
    if (current.repositories > 0) throw invalid('organization still owns repositories', { name: org.login })
    await forgetServiceAccountsOf(ctx, org.id)
    await forgetUser(ctx, current)
  })
}

/** Throws not found when the organization has been deleted meanwhile. */
async function getOrg(ctx: TxContext, org: OrgRecord): Promise<OrgRecord> {
  const current = await findOrgById(ctx.db, org.id)
  if (current === undefined) throw notFound('organization', org.login)
  return current
}
