/** Forms of reviewers: line comments, replies, verdicts, viewed marks, applied suggestions. */
import type { Form, FormVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import { anchorOf } from '../../diff/source.ts'
import { withQuery } from '../../links.ts'
import { indexOf, type PullPath, pullHref } from './load.ts'

type Visit = FormVisit<PullPath>
type Forms = Readonly<Record<string, Form<PullPath>>>

const EVENTS = new Set(['COMMENT', 'APPROVED', 'REQUEST_CHANGES'])

/** Back to the page the form was sent from, without the parameter that opened it. */
function backTo({ path, query }: Visit, anchor: string): string {
  const kept = Object.fromEntries([...query].filter(([name]) => name !== 'comment'))
  return `${withQuery(path, kept)}#${anchor}`
}

async function addRemark(visit: Visit): Promise<string> {
  const { ask, fields, params } = visit
  const path = fields.required('path')
  const line = fields.number('line') ?? 0
  const isOld = fields.text('side') === 'L'
  const comment = {
    path,
    body: fields.required('body'),
    [isOld ? 'old_position' : 'new_position']: line,
    start_line: fields.number('start') || undefined,
  }
  // Comments on a whole file are on the new side only.
  if (line < 0 || (line === 0 && isOld)) throw invalid('line is required')
  const { pending } = await ask('pullGetReviewProgress', indexOf(params))
  const isNow = fields.text('when') === 'now' && pending === undefined
  const event = isNow ? 'COMMENT' : 'PENDING'
  const commit_id = fields.maybe('commit_id')
  await ask('repoCreatePullReview', indexOf(params), { event, comments: [comment], commit_id })
  return backTo(visit, line === 0 ? anchorOf(path) : `${anchorOf(path)}${isOld ? 'L' : 'R'}${line}`)
}

async function finishReview(visit: Visit): Promise<string> {
  const { ask, fields, params } = visit
  const given = indexOf(params)
  const event = fields.text('event')
  if (!EVENTS.has(event)) throw invalid('verdict is required')
  const { pending, latest } = await ask('pullGetReviewProgress', given)
  const sent = { event, body: fields.text('body') }
  if (pending === undefined) await ask('repoCreatePullReview', given, sent)
  else await ask('repoSubmitPullReview', { ...given, id: pending.id }, sent)
  const version = Math.min(fields.number('version') ?? latest, latest)
  await ask('pullMarkReviewed', given, { version: Math.max(1, version) })
  return pullHref(params)
}

function repoOf({ owner, repo }: PullPath): { owner: string; repo: string } {
  return { owner, repo }
}

export const reviewForms: Forms = {
  viewed: {
    does: ['pullSetViewed'],
    handle: async (visit) => {
      const [mark = '', change = '', anchor = ''] = visit.fields.text('file').split(' ')
      await visit.ask('pullSetViewed', indexOf(visit.params), { change, is_viewed: mark === '1' })
      return backTo(visit, anchor)
    },
  },
  look: {
    does: ['pullMarkReviewed'],
    handle: async (visit) => {
      const version = visit.fields.number('version') ?? 0
      await visit.ask('pullMarkReviewed', indexOf(visit.params), { version })
      return pullHref(visit.params, 'files')
    },
  },
  remark: { does: ['repoCreatePullReview'], handle: addRemark },
  reply: {
    does: ['repoCreatePullReviewCommentReply'],
    handle: async (visit) => {
      const { ask, fields, params } = visit
      const body = fields.required('body')
      const id = fields.number('id') ?? 0
      const reply = await ask('repoCreatePullReviewCommentReply', { ...indexOf(params), id }, { body })
      return backTo(visit, `issuecomment-${reply.id}`)
    },
  },
  resolve: { does: ['repoResolvePullReviewComment'], handle: (visit) => settle(visit, true) },
  unresolve: { does: ['repoUnresolvePullReviewComment'], handle: (visit) => settle(visit, false) },
  finish: {
    does: ['repoCreatePullReview', 'repoSubmitPullReview', 'pullMarkReviewed'],
    handle: finishReview,
  },
  discard: {
    does: ['repoDeletePullReview'],
    handle: async (visit) => {
      const given = indexOf(visit.params)
      const { pending } = await visit.ask('pullGetReviewProgress', given)
      if (pending !== undefined) await visit.ask('repoDeletePullReview', { ...given, id: pending.id })
      return visit.path
    },
  },
  apply: {
    does: ['pullApplySuggestions'],
    handle: async ({ ask, fields, params }) => {
      await ask('pullApplySuggestions', indexOf(params), { remark_ids: fields.numbers('id') })
      return pullHref(params, 'files')
    },
  },
}

async function settle(visit: Visit, isResolved: boolean): Promise<string> {
  const { ask, fields, params } = visit
  const given = { ...repoOf(params), id: fields.number('id') ?? 0 }
  await ask(isResolved ? 'repoResolvePullReviewComment' : 'repoUnresolvePullReviewComment', given)
  return backTo(visit, `issuecomment-${given.id}`)
}
