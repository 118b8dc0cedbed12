/**
 * The conversation of an issue or pull request: its text, comments and events, and the reply form. Newer entries wait
 * behind a button, so that nothing moves while a user reads.
 */
import type { IssueAbilities, Talk } from '#domains/work/issues'
import { type Html, html, nothing, type PageVisit } from '#platform/page'
import { draftsOf } from '../../drafts.ts'
import type { Issue, Repository, TimelineComment } from '../../gen/contract.ts'
import { links, withQuery } from '../../links.ts'
import { markdownOfAll } from '../../markdown.ts'
import { conversationWords } from '../../words/conversation.ts'
import { issuePageWords as words } from '../../words/issues.ts'
import { button, form, hidden, written } from '../forms.ts'
import { waitingRegion } from '../live.ts'
import { pageNumber, pager } from '../pager.ts'
import type { RepositoryView } from '../repository.ts'
import { comment, editorActs, type Said, type SaidFacts } from './comment.ts'
import { composer } from './composer.ts'
import { eventGroup } from './events.ts'

export interface IssuePath {
  readonly owner: string
  readonly repo: string
  readonly index: string
}

export interface ConversationView {
  readonly issue: Issue
  readonly repo: Repository
  readonly talk: Talk
  /** Rendered texts by anchor. */
  readonly bodies: ReadonlyMap<string, Html>
  /** The draft of a reply, with the quoted text. */
  readonly begun: string
  readonly rights: IssueAbilities
}

/** Entries on a page; nearly every conversation fits on one. */
const ENTRIES = 200

export async function loadConversation(
  visit: PageVisit<IssuePath>,
  issue: Issue,
  { repo }: RepositoryView,
  rights: IssueAbilities,
): Promise<ConversationView> {
  const { ctx, ask, params } = visit
  const [talk, drafts] = await Promise.all([
    ask('issueGetTalk', { ...params, page: pageNumber(visit), limit: ENTRIES }),
    draftsOf(visit, draftPlace(issue)),
  ])
  const texts = textsOf(issue, talk)
  const boxed = [...texts].map(([anchor, { text, authorId }]) => ({
    text,
    boxesOf:
      rights.isHeard && (rights.mayWrite || authorId === ctx.actor?.id) ? `tasks-${anchor}` : undefined,
  }))
  const rendered = await markdownOfAll(visit, boxed, repo)
  const bodies = new Map([...texts.keys()].map((anchor, i) => [anchor, rendered[i] ?? nothing]))
  const quoted = texts.get(visit.query.get('quote') ?? '')?.text ?? ''
  return {
    issue,
    repo,
    talk,
    bodies,
    begun: [drafts[draftPlace(issue)] ?? '', quote(quoted)].filter(Boolean).join('\n\n'),
    rights,
  }
}

export function draftPlace({ id }: Pick<Issue, 'id'>): string {
  return `comment:${id}`
}

export function anchorOf({ number }: Pick<Issue, 'number'>): string {
  return `issue-${number}`
}

function textsOf(issue: Issue, { entries }: Talk): Map<string, { text: string; authorId: number }> {
  const texts = new Map([[anchorOf(issue), { text: issue.body, authorId: issue.user.id }]])
  for (const { id, type, body, user } of entries)
    if (type === 'comment' || (type === 'review' && body !== ''))
      texts.set(`issuecomment-${id}`, { text: body, authorId: user.id })
  return texts
}

function quote(text: string): string {
  return text === '' ? '' : `${text.replaceAll(/^/gm, '> ')}\n\n`
}

interface ConversationFacts {
  /** Renders an entry differently; undefined for the default. */
  readonly entry?: (entry: TimelineComment) => Html | undefined
}

/** The text of the issue and all entries. */
export function conversation(visit: PageVisit, view: ConversationView, facts: ConversationFacts = {}): Html {
  const { issue, talk } = view
  const shown: Html[] = [pageNumber(visit) > 1 ? nothing : firstText(visit, view)]
  let quiet: TimelineComment[] = []
  const flush = () => {
    if (quiet.length > 0) shown.push(eventGroup(visit, quiet, view.repo))
    quiet = []
  }
  for (const entry of talk.entries) {
    const own = facts.entry?.(entry) ?? (isSaid(entry) ? remark(visit, view, entry) : undefined)
    if (own === undefined) quiet.push(entry)
    else {
      flush()
      shown.push(own)
    }
  }
  flush()
  return html`${waitingRegion('timeline', `issue:${issue.id}`, html`${shown}`)}${pager(visit, talk.total, ENTRIES)}${marksRead(visit, issue)}`
}

/** An island sends this form, because a GET request, which may be a prefetch, changes nothing. */
function marksRead(visit: PageVisit, { id }: Issue): Html {
  if (visit.ctx.actor === null) return nothing
  return form(visit, 'read', hidden('issue', id), { id: 'marks-read' })
}

function isSaid({ type, body }: TimelineComment): boolean {
  return type === 'comment' || (type === 'review' && body !== '')
}

function firstText(visit: PageVisit, view: ConversationView): Html {
  const { issue, talk } = view
  const anchor = anchorOf(issue)
  const body =
    issue.body.trim() === '' ? html`<p class="quiet-text">${conversationWords.noText}</p>` : undefined
  const said = {
    ...issue,
    id: 0,
    anchor,
    original: issue.original_author,
    // Any change of an issue sets `updated_at`, so it does not tell whether the text was edited; that is known for
    // comments only.
    updated_at: issue.created_at,
    body: body ?? boxed(visit, view, anchor, 0),
    files: issue.assets,
    reactions: talk.reactions.get(0) ?? [],
    isAuthor: false,
    history: issue.content_version > 0 ? links.textHistory(view.repo, issue.number) : undefined,
  }
  return comment(visit, said, {
    ...rightsOn(visit, view, said),
    mayDelete: false,
    verb: words.opened,
    editor: editor(visit, view, said, issue.body),
  })
}

function remark(visit: PageVisit, view: ConversationView, entry: TimelineComment): Html {
  const { talk, issue } = view
  const anchor = `issuecomment-${entry.id}`
  const original = talk.originals.get(entry.id)
  const said = {
    ...entry,
    anchor,
    body: boxed(visit, view, anchor, entry.id),
    files: talk.files.get(entry.id) ?? [],
    reactions: talk.reactions.get(entry.id) ?? [],
    original,
    isAuthor: entry.user.id === issue.user.id && (original ?? '') === issue.original_author,
    history:
      entry.type === 'comment' && entry.updated_at > entry.created_at
        ? links.textHistory(view.repo, issue.number, entry.id)
        : undefined,
  }
  const may = rightsOn(visit, view, said)
  // The text of a review is edited with the review.
  const isOwn = entry.type === 'comment'
  return comment(visit, said, {
    mayReact: may.mayReact && isOwn,
    mayEdit: may.mayEdit && isOwn,
    mayDelete: may.mayDelete && isOwn,
    editor: isOwn ? editor(visit, view, said, entry.body) : undefined,
  })
}

function rightsOn(
  { ctx }: PageVisit,
  { repo, rights }: ConversationView,
  { user }: Said,
): Pick<SaidFacts, 'mayEdit' | 'mayDelete' | 'mayReact'> {
  const mayDelete = rights.mayWrite || (user.id === ctx.actor?.id && !repo.archived)
  return { mayEdit: mayDelete && rights.isHeard, mayDelete, mayReact: rights.mayJoin }
}

/** Task boxes belong to a form after the text; an island submits it when a box is ticked. */
function boxed(visit: PageVisit, view: ConversationView, anchor: string, id: number): Html {
  const body = view.bodies.get(anchor) ?? nothing
  const boxes = `${body}`.match(/name="task"/g)?.length ?? 0
  if (boxes === 0) return body
  const content = html`${hidden('id', id)}${hidden('boxes', boxes)}<noscript>${button(conversationWords.saveTasks)}</noscript>`
  return html`${body}${form(visit, 'tasks', content, { id: `tasks-${anchor}`, class: 'tasks' })}`
}

function editor(
  visit: PageVisit,
  { repo, issue }: ConversationView,
  said: Said,
  text: string,
): Html | undefined {
  const { id, anchor } = said
  const { failed, query } = visit
  const isFailed = failed?.form === 'edit-comment' && failed.fields.number('id') === id
  if (query.get('edit') !== anchor && !isFailed) return undefined
  const content = html`${hidden('id', id)}${id === 0 && hidden('content_version', issue.content_version)}${composer(
    visit,
    {
      label: words.textField,
      value: isFailed ? written(visit, 'edit-comment', 'body', text) : text,
      place: repo.full_name,
      id: `edit-${anchor}`,
      rows: 10,
    },
  )}${editorActs(visit, anchor)}`
  return form(visit, 'edit-comment', content)
}

interface ReplyFacts {
  readonly isOpen: boolean
  /** A merged pull request cannot be reopened. */
  readonly isFinal?: boolean
}

/** The reply form. Its two buttons submit the text to different forms. */
export function reply(visit: PageVisit, view: ConversationView, { isOpen, isFinal }: ReplyFacts): Html {
  const { issue, repo, talk, rights } = view
  if (visit.ctx.actor === null)
    return html`<p class="box box-text"><a href="${withQuery(links.signIn, { redirect_to: visit.path })}">${words.signInToTalk}</a></p>`
  if (!rights.mayJoin)
    return html`<p class="box box-text">${repo.archived ? words.archived : words.lockedForYou}</p>`
  const draft = draftPlace(issue)
  const states = isOpen ? (['close', words.close] as const) : (['reopen', words.reopen] as const)
  const [state, text] = states
  const failed = ['comment', 'close', 'reopen'].find((it) => it === visit.failed?.form) ?? 'comment'
  const content = html`${hidden('last', Math.ceil(talk.total / ENTRIES))}${composer(visit, {
    label: words.reply,
    draft,
    value: written(visit, failed, 'body', view.begun),
    place: repo.full_name,
    id: 'reply',
    key: 'r',
    takesFiles: true,
  })}<div class="actions end">${
    rights.mayClose && !isFinal && button(text, { name: 'form', value: state })
  }${button(words.comment, { tone: 'primary' })}</div>`
  return form(visit, failed === 'comment' ? 'comment' : failed, content, {
    draft,
    hasFiles: true,
    class: 'reply',
  })
}
