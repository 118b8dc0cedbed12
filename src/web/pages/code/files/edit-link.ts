/** Who may edit a file in the browser, and where. */
import type { PageVisit } from '#platform/page'
import { links } from '../../../links.ts'
import type { RepositoryView } from '../../../parts/repository.ts'

/** Without write access a change is proposed from a fork. */
export function mayForkAndEdit({ ctx }: PageVisit, { repo, may }: RepositoryView): boolean {
  return !may.code.write && may.fork && may.pulls.join && repo.owner.id !== ctx.actor?.id
}

/** Undefined if the viewer may neither edit the file nor propose a change. */
export function editLink(
  visit: PageVisit,
  view: RepositoryView,
  branch: string,
  path: string,
): { readonly to: string; readonly isFork: boolean } | undefined {
  if (view.may.code.write) return { to: links.change(view.repo, '_edit', branch, path), isFork: false }
  if (mayForkAndEdit(visit, view)) return { to: links.change(view.repo, '_fork', branch, path), isFork: true }
  return undefined
}
