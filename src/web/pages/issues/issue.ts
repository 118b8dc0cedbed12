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
import { author, icon, time } from '../../parts/basics.ts'
import {
  type ConversationView,
  conversation,
  type IssuePath,
  loadConversation,
  reply,
} from '../../parts/conversation/conversation.ts'
import { conversationForms } from '../../parts/conversation/conversation-forms.ts'
import { formButton } from '../../parts/forms.ts'
import { factForms } from '../../parts/issues/fact-forms.ts'
import { issueFacts } from '../../parts/issues/issue-facts.ts'
import { issueHead } from '../../parts/issues/issue-head.ts'
import { type FactsView, loadFacts } from '../../parts/issues/load-facts.ts'
import { inRepository, loadRepository, type RepositoryView } from '../../parts/repository.ts'
import { issueWords, issuePageWords as words } from '../../words/issues.ts'

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
  const about = html`${author(issue.user, issue.original_author)} <span class="quiet-text">${words.opened} ${time(issue.created_at, visit.ctx.now())} · ${issueWords.comments(issue.comments)}</span>`
  return issueHead(visit, { of: issue, mayEdit: talk.rights.mayEdit, action: visit.path, about })
}

function deletion(visit: PageVisit, { view }: IssueView): Html {
  if (!view.may.admin) return nothing
  return formButton(visit, 'delete', html`${icon('trash-2')}${words.delete}`, {}, { tone: 'danger' })
}

export const issuePages: readonly Page[] = [issuePage]
