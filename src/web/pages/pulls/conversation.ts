/** The conversation page of a pull request: text, events, reviews, and the merge box. */
import { html, type Page, type PageVisit, page } from '#platform/page'
import { conversation, loadConversation, reply } from '../../parts/conversation/conversation.ts'
import { conversationForms } from '../../parts/conversation/conversation-forms.ts'
import { factForms } from '../../parts/issues/fact-forms.ts'
import { loadFacts } from '../../parts/issues/load-facts.ts'
import { versionsBox } from './commits.ts'
import { loadReviewers, pullFacts } from './facts.ts'
import { inPull } from './frame.ts'
import { indexOf, loadPull, type PullPath } from './load.ts'
import { mergeBox } from './merge-box.ts'
import { mergeForms } from './merge-forms.ts'
import { pullForms } from './pull-forms.ts'
import { reviewEntry } from './review-entry.ts'
import { reviewForms } from './review-forms.ts'
import { renderRemarks } from './threads.ts'
import type { PullConversationView } from './views.ts'

const LISTED_MAX = 50

const conversationPage = page({
  path: '/:owner/:repo/pulls/:index',
  load: loadPullTalk,
  show: (it, visit) => {
    const { pull, talk } = it
    const states = { isOpen: pull.state === 'open', isFinal: pull.merged }
    return inPull(it, 'talk', visit, {
      islands: ['read.ts'],
      description: pull.body,
      body: html`<div class="columns"><div>${conversation(visit, talk, { entry: reviewEntry(visit, it) })}${mergeBox(visit, it)}${it.versions.length > 1 && versionsBox(it, visit)}${reply(visit, talk, states)}</div>${pullFacts(visit, it)}</div>`,
    })
  },
  forms: {
    ...conversationForms('repoEditPullRequest'),
    ...factForms,
    ...pullForms,
    ...mergeForms,
    ...reviewForms,
  },
})

async function loadPullTalk(visit: PageVisit<PullPath>): Promise<PullConversationView> {
  const { ask, list, maybe } = visit
  const it = await loadPull(visit)
  const given = indexOf(visit.params)
  const { owner, repo } = given
  const issue = await ask('issueGetIssue', given)
  const [talk, { items: reviews }, lines, progress, { items: versions }, status, outlook, facts, reviewers] =
    await Promise.all([
      loadConversation(visit, issue, it.view, it.rights),
      list('repoListPullReviews', { ...given, limit: LISTED_MAX }),
      ask('pullListLines', given),
      ask('pullGetReviewProgress', given),
      list('repoListPullVersions', given),
      maybe('repoGetCombinedStatusByRef', { owner, repo, ref: it.pull.head.sha, limit: LISTED_MAX }),
      ask('pullGetOutlook', given),
      loadFacts(visit, issue, it.view, it.rights, it.pull.base.ref),
      loadReviewers(visit, it),
    ])
  const remarks = await renderRemarks(visit, it.view.repo, lines)
  return { ...it, talk, reviews, remarks, progress, versions, status, outlook, facts, reviewers }
}

export const conversationPages: readonly Page[] = [conversationPage]
