/** The page of an issue: text, conversation and sidebar. */
import {
  type FormVisit,
  type Html,
  html,
  nothing,
  type Page,
  type PageVisit,
  page,
  Redirect,
} from '#platform/page'
import type { Issue } from '../../gen/contract.ts'
import { links, repositoryAt, sameWith } from '../../links.ts'
import { icon, pill } from '../../parts/basics.ts'
import {
  type ConversationView,
  conversation,
  type IssuePath,
  loadConversation,
  reply,
} from '../../parts/conversation/conversation.ts'
import { conversationForms } from '../../parts/conversation/conversation-forms.ts'
import { button, form, formButton, written } from '../../parts/forms.ts'
import { factForms } from '../../parts/issues/fact-forms.ts'
import { issueFacts } from '../../parts/issues/issue-facts.ts'
import { stateOf } from '../../parts/issues/issue-list.ts'
import { type FactsView, loadFacts } from '../../parts/issues/load-facts.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { issuePageWords as words } from '../../words/issues.ts'

interface IssueView {
  readonly view: RepositoryView
  readonly issue: Issue
  readonly talk: ConversationView
  readonly facts: FactsView
}

const issuePage = page({
  path: '/:owner/:repo/issues/:index',
  load: async (visit): Promise<IssueView> => {
    const view = await loadRepository(visit)
    const issue = await visit.ask('issueGetIssue', visit.params)
    if (issue.pull_request !== null)
      throw new Redirect(sameWith({ path: links.pull(view.repo, issue.number), query: visit.query }, {}))
    const rights = await visit.ask('issueGetAbilities', visit.params)
    const talk = await loadConversation(visit, issue, view, rights)
    return { view, issue, talk, facts: await loadFacts(visit, issue, view, rights) }
  },
  show: (shown, visit) => {
    const { view, issue, talk, facts } = shown
    return inRepository(view, 'issues', visit, {
      hasHeading: true,
      islands: ['read.ts'],
      title: `${issue.title} #${issue.number}`,
      description: issue.body,
      body: html`${titleOf(visit, shown)}<div class="columns talk-columns"><div>${conversation(visit, talk)}${reply(
        visit,
        talk,
        { isOpen: issue.state === 'open' },
      )}</div>${issueFacts(visit, facts, { last: deletion(visit, shown) })}</div>`,
    })
  },
  forms: {
    ...conversationForms('issueEditIssue'),
    ...factForms,
    title: { does: ['issueEditIssue'], handle: setTitle },
    delete: {
      does: ['issueDelete'],
      isDangerous: true,
      handle: async ({ ask, params }) => {
        await ask('issueDelete', params)
        return links.of(repositoryAt(params), 'issues')
      },
    },
  },
})

async function setTitle({ ask, params, fields, path }: FormVisit<IssuePath>): Promise<string> {
  await ask('issueEditIssue', params, { title: fields.required('title') })
  return path
}

function titleOf(visit: PageVisit, { issue, talk }: IssueView): Html {
  const { mayEdit } = talk.rights
  const { word, icon: iconName, tone } = stateOf(issue)
  const isEdited = visit.query.get('edit') === 'title' || visit.failed?.form === 'title'
  const state = html`<div class="spread issue-state">${pill(word, tone, iconName)}${issue.is_locked && pill(words.locked, 'warn', 'lock')}${
    issue.pin_order > 0 && pill(words.pinned, 'plain', 'pin')
  }</div>`
  if (mayEdit && isEdited)
    return html`<h1 class="unseen">${issue.title}</h1>${form(
      visit,
      'title',
      html`<label class="unseen" for="field-title">${words.titleField}</label><input id="field-title" name="title" value="${written(visit, 'title', 'title', issue.title)}" maxlength="255" required autofocus>${button(words.editTitle, { tone: 'primary' })}<a class="button" href="${visit.path}">${icon('x', 'Cancel')}</a>`,
      { class: 'title-form' },
    )}${state}`
  return html`<div class="issue-title"><h1>${issue.title} <span class="quiet-text">${words.number(issue.number)}</span></h1>${
    mayEdit &&
    html`<a class="button" href="${sameWith(visit, { edit: 'title' })}" data-key="e">${icon('pencil')}${words.editTitle}</a>`
  }</div>${state}`
}

function deletion(visit: PageVisit, { view }: IssueView): Html {
  if (!view.may.admin) return nothing
  return formButton(visit, 'delete', html`${icon('trash-2')}${words.delete}`, {}, { tone: 'danger' })
}

export const issuePages: readonly Page[] = [issuePage]
