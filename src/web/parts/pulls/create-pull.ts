/** Sends the form that opens a pull request. */
import type { FormVisit, OperationId } from '#platform/page'
import { Problem } from '#platform/problem'
import { dropSentDraft } from '../../drafts.ts'
import { links, type RepositoryPath, repositoryAt } from '../../links.ts'
import { attachFiles } from '../conversation/attach-files.ts'
import { asDraft } from './draft-title.ts'

export const TITLE_MAX = 255

export const CREATES_PULL: readonly OperationId[] = [
  'repoCreatePullRequest',
  'issueCreateIssueAttachment',
  'repoEditPullRequest',
  'draftsDrop',
]

/** Returns the address of the new pull request. */
export async function createPull(
  visit: FormVisit<RepositoryPath>,
  { base, head }: { readonly base: string; readonly head: string },
): Promise<string> {
  const { ask, params, fields } = visit
  const { owner, repo } = params
  const title = fields.required('title').trim()
  if (title.length > TITLE_MAX) throw new Problem('invalid', 'title is too long')
  const body = fields.text('body')
  const milestone = fields.number('milestone')
  const { number } = await ask(
    'repoCreatePullRequest',
    { owner, repo },
    {
      title: fields.flag('draft') ? asDraft(title) : title,
      body,
      base,
      head,
      allow_maintainer_edit: fields.flag('edits'),
      ...(fields.has('reviewer') && { reviewers: fields.all('reviewer') }),
      ...(fields.has('assignee') && { assignees: fields.all('assignee') }),
      ...(fields.has('label') && { labels: fields.numbers('label') }),
      ...(milestone && { milestone }),
    },
  )
  await dropSentDraft(visit)
  const at = { owner, repo, index: number }
  await attachFiles(visit, {
    text: body,
    attach: (file) => ask('issueCreateIssueAttachment', at, undefined, file),
    setText: (text) => ask('repoEditPullRequest', at, { body: text }),
  })
  return links.pull(repositoryAt({ owner, repo }), number)
}
