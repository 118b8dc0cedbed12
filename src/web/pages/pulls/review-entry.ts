/** Reviews in the conversation: the verdict, and its comments with the lines they are about. */
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { anchorOf } from '../../diff/source.ts'
import type { PullReview, TimelineComment } from '../../gen/contract.ts'
import { icon, person, pill, time } from '../../parts/basics.ts'
import { button, field, form, hidden } from '../../parts/forms.ts'
import { reviewWords, conversationPageWords as words } from '../../words/pulls.ts'
import { type PullPath, pullHref } from './load.ts'
import { quotedLines } from './quoted-lines.ts'
import { type Thread, type ThreadFacts, threadsOf, threadView } from './threads.ts'
import type { PullConversationView } from './views.ts'

/** Renders reviews; undefined for other entries. */
export function reviewEntry(
  visit: PageVisit<PullPath>,
  it: PullConversationView,
): (entry: TimelineComment) => Html | undefined {
  const threads = threadsOf(it.remarks)
  const entries = it.talk.talk.entries.filter(({ type }) => type === 'review')
  return (entry) => {
    if (entry.type !== 'review') return undefined
    // A review that was pending with a body has two entries; it is shown once, at the later one.
    const own = entries.filter(({ review_id }) => review_id === entry.review_id)
    return own.at(-1)?.id === entry.id ? reviewed(visit, it, own, entry, threads) : nothing
  }
}

const VERDICTS: Readonly<Record<string, readonly [string, string, 'approved' | 'rejected' | 'reviewed']>> = {
  APPROVED: ['circle-check', 'good', 'approved'],
  REQUEST_CHANGES: ['circle-x', 'bad', 'rejected'],
  COMMENT: ['eye', 'plain', 'reviewed'],
}

/** A verdict, and its comments with the lines they are about. */
function reviewed(
  visit: PageVisit<PullPath>,
  it: PullConversationView,
  entries: readonly TimelineComment[],
  entry: TimelineComment,
  threads: readonly Thread[],
): Html {
  const review = it.reviews.find(({ id }) => id === entry.review_id)
  const [iconName, tone, verb] = VERDICTS[review?.state ?? 'COMMENT'] ?? ['eye', 'plain', 'reviewed']
  const own = threads.filter(({ remarks: [first] }) => first?.pull_request_review_id === entry.review_id)
  const texts = entries
    .filter(({ body }) => body !== '')
    .map(({ id }) => it.talk.bodies.get(`issuecomment-${id}`))
  return html`<section class="review" id="pullrequestreview-${entry.review_id}"><div class="spread review-head"><span class="state ${tone}">${icon(iconName)}</span> ${person(entry.user)} ${words[verb]} ${time(entry.created_at, visit.ctx.now())} ${
    review?.stale && pill(words.stale)
  }${review?.dismissed && pill(words.dismissed, 'warn')}${dismissal(visit, it, review)}</div>${
    texts.length > 0 && html`<div class="box"><div class="comment-body">${texts}</div></div>`
  }${own.map((thread) => quoted(visit, it, thread))}</section>`
}

function dismissal(visit: PageVisit, it: PullConversationView, review: PullReview | undefined): Html {
  const isVerdict = review?.state === 'APPROVED' || review?.state === 'REQUEST_CHANGES'
  if (!isVerdict || review.dismissed || !it.view.may.admin || it.view.repo.archived) return nothing
  const fields = html`${hidden('id', review.id)}${field({ name: 'message', label: words.dismissWhy })}${button(words.dismiss)}`
  return html`<details><summary class="quiet-text">${words.dismiss}</summary>${form(visit, 'dismiss', fields)}</details>`
}

function quoted(visit: PageVisit<PullPath>, it: PullConversationView, thread: Thread): Html {
  const { path, place, start, line, isOutdated } = thread
  const files = pullHref(visit.params, 'files')
  const facts: ThreadFacts = {
    mayReply: it.rights.mayJoin,
    pending: it.progress.pending?.id,
    action: pullHref(visit.params),
    mayApply: it.tip.mayPush && !isOutdated,
    place: it.view.repo.full_name,
  }
  const to = start < line ? `${place[0]}${start}-${place}` : place
  return html`<div class="box quoted"><header class="box-head"><h2><a class="mono" href="${files}#${anchorOf(path)}${to}">${path}</a></h2>${isOutdated && pill(reviewWords.outdated, 'warn')}</header>${quotedLines(thread.hunk, start < line)}<div class="box-text">${threadView(visit, thread, facts)}</div></div>`
}
