/** The issues or pull requests of a repository that match a filter, in the wanted order. */
import type { SortedIssues } from '#domains/work/issues'
import type { PageVisit } from '#platform/page'
import { Problem } from '#platform/problem'
import type { RepositoryPath } from '../../links.ts'
import { pageNumber } from '../pager.ts'
import { askedOf, type IssueFilter, sortOf } from './issue-filter.ts'

/** A filter by an unknown user finds nothing. */
export async function findInList(
  visit: PageVisit<RepositoryPath>,
  type: 'issues' | 'pulls',
  filter: IssueFilter,
  limit: number,
): Promise<SortedIssues> {
  const { owner, repo } = visit.params
  const { poster, assignee } = filter
  try {
    return await visit.ask('issueListSorted', {
      owner,
      repo,
      type,
      ...askedOf(filter),
      ...(poster !== '' && { created_by: poster }),
      ...(assignee !== '' && { assigned_by: assignee }),
      sort: sortOf(visit),
      page: pageNumber(visit),
      limit,
    })
  } catch (error) {
    const isNobody = error instanceof Problem && (error.kind === 'not_found' || error.kind === 'invalid')
    if (!isNobody || (poster === '' && assignee === '')) throw error
    return { items: [], total: 0, counts: { open: 0, closed: 0 } }
  }
}
