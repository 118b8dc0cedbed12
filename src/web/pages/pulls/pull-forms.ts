/** Forms that change a pull request: title, base, draft state, reviewers. */
import type { Form, FormVisit } from '#platform/page'
import { asDraft, withoutDraft } from '../../parts/pulls/draft-title.ts'
import { waitingOf } from './facts.ts'
import { indexOf, type PullPath, pullHref } from './load.ts'

type Visit = FormVisit<PullPath>
type Forms = Readonly<Record<string, Form<PullPath>>>

async function edit({ ask, params }: Visit, change: { title?: string; base?: string }): Promise<string> {
  await ask('repoEditPullRequest', indexOf(params), change)
  return pullHref(params)
}

/** The draft state is part of the title. */
async function setDraft(visit: Visit): Promise<string> {
  const { title, draft } = await visit.ask('repoGetPullRequest', indexOf(visit.params))
  return edit(visit, { title: draft ? withoutDraft(title) : asDraft(title) })
}

async function requestReviews({ ask, list, fields, params }: Visit): Promise<string> {
  const given = indexOf(params)
  const { items } = await list('repoListPullReviews', { ...given, limit: 50 })
  const before = waitingOf(items).flatMap(({ user }) => user?.login ?? [])
  const wanted = fields.all('reviewer')
  const added = wanted.filter((it) => !before.includes(it))
  const removed = before.filter((it) => !wanted.includes(it))
  if (added.length > 0) await ask('repoCreatePullReviewRequests', given, { reviewers: added })
  if (removed.length > 0) await ask('repoDeletePullReviewRequests', given, { reviewers: removed })
  return pullHref(params)
}

export const pullForms: Forms = {
  title: {
    does: ['repoEditPullRequest'],
    handle: (visit) => edit(visit, { title: visit.fields.required('title') }),
  },
  draft: { does: ['repoEditPullRequest'], handle: setDraft },
  base: {
    does: ['repoEditPullRequest'],
    handle: (visit) => edit(visit, { base: visit.fields.required('base') }),
  },
  reviewers: {
    does: ['repoCreatePullReviewRequests', 'repoDeletePullReviewRequests'],
    handle: requestReviews,
  },
  dismiss: {
    does: ['repoDismissPullReview'],
    handle: async ({ ask, fields, params }) => {
      const id = fields.number('id') ?? 0
      await ask('repoDismissPullReview', { ...indexOf(params), id }, { message: fields.text('message') })
      return `${pullHref(params)}#pullrequestreview-${id}`
    },
  },
}
