/** The ref and path of a code page, with the branches and tags of the switcher. */
import type { Place } from '#domains/code/contents'
import type { PageVisit } from '#platform/page'
import type { RepositoryPath } from '../../../links.ts'
import type { Refs } from '../../../parts/code/code-head.ts'
import { loadRepository, type RepositoryView } from '../../../parts/repository.ts'

export interface PlacePath extends RepositoryPath {
  readonly kind: string
  readonly place: string
}

export interface CodeView {
  readonly repository: RepositoryView
  readonly place: Place
  readonly refs: Refs
}

/** Limit of the menu; the pages of branches and tags list all. */
const MENU_MAX = 12

export async function loadCode(visit: PageVisit<PlacePath>): Promise<CodeView> {
  const { kind, place } = visit.params
  const repository = await loadRepository(visit)
  return { repository, ...(await loadPlace(visit, kind, place)) }
}

export async function loadPlace(
  { ask, params: { owner, repo } }: PageVisit<RepositoryPath>,
  kind: string,
  address: string,
): Promise<Pick<CodeView, 'place' | 'refs'>> {
  const place = await ask('repoGetPlace', { owner, repo, kind, place: address })
  return { place, refs: await ask('repoListRefNames', { owner, repo, limit: MENU_MAX }) }
}
