/** What a page of code is about, with the branches and tags that one can go to from there. */
import { openPlace, type Place } from '#domains/contents'
import { HEADS, listRefs, TAGS } from '#git'
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

/** As many as a menu can show; pages of their own show all. */
const MENU_MAX = 12

export async function loadCode(visit: PageVisit<PlacePath>): Promise<CodeView> {
  const { kind, place } = visit.params
  const repository = await loadRepository(visit)
  return { repository, ...(await loadPlace(visit, kind, place)) }
}

export async function loadPlace(
  visit: PageVisit<RepositoryPath>,
  kind: string,
  address: string,
): Promise<Pick<CodeView, 'place' | 'refs'>> {
  const { ctx } = visit
  const place = await openPlace(visit, kind, address)
  const list = async (prefix: string) => {
    const refs = await listRefs(ctx.db, place.code.storage_id, {
      prefixes: [prefix],
      skip: 0,
      limit: MENU_MAX,
    })
    return refs.map(({ name }) => name.slice(prefix.length))
  }
  const [branches, tags] = await Promise.all([list(HEADS), list(TAGS)])
  const { default_branch } = place.code
  const others = branches.filter((it) => it !== default_branch)
  return { place, refs: { branches: [default_branch, ...others], tags } }
}
