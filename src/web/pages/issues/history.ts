/** Edit history of an issue, pull request or comment. */
import type { ContentHistory } from '#domains/work/issues'
import { type FormVisit, type Html, html, nothing, type Page, type PageVisit, page } from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { links, sameWith } from '../../links.ts'
import { avatar, empty, icon, person, time } from '../../parts/basics.ts'
import type { IssuePath } from '../../parts/conversation/conversation.ts'
import { textDifference } from '../../parts/conversation/text-difference.ts'
import { formButton } from '../../parts/forms.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { historyWords as words } from '../../words/issues.ts'

interface HistoryView {
  readonly view: RepositoryView
  readonly issue: Issue
  readonly history: ContentHistory
  /** 0 for the text of the issue itself. */
  readonly commentId: number
}

const historyPage = page({
  path: '/:owner/:repo/issues/:index/content-history',
  load: async (visit): Promise<HistoryView> => {
    const { ask, params, query } = visit
    const view = await loadRepository(visit)
    const issue = await ask('issueGetIssue', params)
    const comment = numberOf(query.get('comment'))
    const change = numberOf(query.get('change'))
    const history = await ask('issueGetContentHistory', { ...params, comment, change })
    return { view, issue, commentId: comment, history }
  },
  show: (shown, visit) => {
    const { view, issue } = shown
    const isPull = issue.pull_request !== null
    return inRepository(view, isPull ? 'pulls' : 'issues', visit, {
      title: `${words.title} · ${issue.title} #${issue.number}`,
      body: body(visit, shown),
    })
  },
  forms: { forget: { does: ['issueClearContentHistory'], handle: forget } },
})

function numberOf(text: string | null): number {
  return /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0
}

async function forget(visit: FormVisit<IssuePath>): Promise<string> {
  const { ask, params, fields } = visit
  await ask('issueClearContentHistory', params, { change: fields.number('change') ?? 0 })
  return sameWith(visit, {})
}

function body(visit: PageVisit, { view, issue, history, commentId }: HistoryView): Html {
  const { changes, shown, author } = history
  const home =
    issue.pull_request === null ? links.issue(view.repo, issue.number) : links.pull(view.repo, issue.number)
  const to = `${home}#${commentId === 0 ? `issue-${issue.number}` : `issuecomment-${commentId}`}`
  const head = html`<div class="issue-title"><h1 class="grow">${words.title}</h1><a class="button" href="${to}">${words.back}</a></div><p class="quiet-text">${words.by(issue.title)} ${person(author)}</p>`
  if (shown === undefined) return html`${head}${empty(words.none, html`<p>${words.noneHelp}</p>`)}`
  const one = ({ id, editor, at }: (typeof changes)[number]) =>
    html`<a href="${sameWith(visit, { change: id })}"${id === shown.id && html` aria-current="page"`}>${editor.avatar_url !== '' && avatar(editor)}${editor.login} ${time(at, visit.ctx.now())}</a>`
  return html`${head}<div class="columns left"><nav class="side" aria-label="${words.changes}">${changes.map(one)}</nav><section class="box"><header class="box-head"><h2>${words.changed(shown.editor.login)} ${time(shown.at, visit.ctx.now())}</h2>${
    history.mayForget && shown.before !== null
      ? formButton(
          visit,
          'forget',
          html`${icon('trash-2')}${words.forget}`,
          { change: shown.id },
          { tone: 'quiet' },
        )
      : nothing
  }</header>${
    shown.before === null || shown.after === null
      ? html`<p class="box-text quiet-text">${words.forgotten}</p>`
      : textDifference(shown.before, shown.after)
  }</section></div>`
}

export const historyPages: readonly Page[] = [historyPage]
