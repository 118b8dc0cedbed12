/** Accounts under which the user can create repositories. */
import type { PageVisit } from '#platform/page'
import { select, written } from '../../parts/forms.ts'
import { createWords as words } from '../../words/create.ts'

const ORGANIZATIONS_MAX = 50

export async function loadOwners(visit: PageVisit): Promise<string[]> {
  const { items } = await visit.list('orgListCurrentUserOrgs', { limit: ORGANIZATIONS_MAX })
  return [visit.ctx.actor?.login ?? '', ...items.map(({ username }) => username)]
}

export function ownerField(visit: PageVisit, form: string, owners: readonly string[], name = 'owner') {
  const asked = visit.query.get('owner') ?? owners[0] ?? ''
  return select({
    name,
    label: words.owner,
    options: owners.map((it) => [it, it] as const),
    value: written(visit, form, name, asked),
  })
}
