/** Reports abuse: a user, organization, repository, issue, pull request or comment. */
import { type FormVisit, html, type Page, type PageVisit, page, type Rendered } from '#platform/page'
import { notFound } from '#platform/problem'
import { area, button, form, select, written } from '../../parts/forms.ts'
import { moderationWords as words } from '../../words/moderation.ts'

const BODY_MAX = 5_000

const reportPage = page({
  path: '/-/report',
  requiresSignIn: true,
  load: async (visit) => ({ path: await visit.ask('reportGetTarget', targetOf(visit)) }),
  show: ({ path }, visit) => ({
    title: words.reportTitle,
    body: html`<div class="narrow"><h1>${words.reportTitle}</h1><p>${words.about} <a href="${path}">${path}</a></p><p>${words.reportHelp}</p>${form(
      visit,
      'report',
      html`${select({ name: 'category', label: words.category, options: Object.entries(words.categories), value: written(visit, 'report', 'category', 'spam') })}
${area({ name: 'body', label: words.details, value: written(visit, 'report', 'body'), maxLength: BODY_MAX, isRequired: true })}${button(words.sendReport, { tone: 'primary' })}`,
    )}</div>`,
  }),
  forms: { report: { does: ['reportAbuse'], handle: send } },
})

async function send(visit: FormVisit): Promise<Rendered> {
  const { ask, fields } = visit
  const category = fields.required('category') as keyof typeof words.categories
  await ask('reportAbuse', targetOf(visit), { category, body: fields.required('body') })
  return {
    title: words.reportTitle,
    body: html`<div class="narrow"><h1>${words.reportTitle}</h1><p class="flash good" role="status">${words.reported}</p></div>`,
  }
}

/** `about` is the path of a page, such as `/ann/site/issues/3/edits`. */
function targetOf({ query }: PageVisit) {
  const about = query.get('about') ?? ''
  const [, owner = '', repo, part, number] = about.split('/')
  if (owner === '') throw notFound('page', about)
  if (repo === undefined) return { owner }
  const isIssue = (part === 'issues' || part === 'pulls') && /^\d{1,9}$/.test(number ?? '')
  const comment = query.get('comment')
  if (!isIssue) return { owner, repo }
  return { owner, repo, index: Number(number), ...(comment !== null && { comment: Number(comment) }) }
}

export const reportPages: readonly Page[] = [reportPage]
