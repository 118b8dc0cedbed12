/** A comment: author, time, rendered text, attachments, reactions and actions. */
import { type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import type { Attachment } from '../../gen/contract.ts'
import { links, local, sameWith } from '../../links.ts'
import { conversationWords as words } from '../../words/conversation.ts'
import { bytes } from '../../words/site.ts'
import { author, icon, menu, pill, time } from '../basics.ts'
import { button, form, formButton, hidden } from '../forms.ts'

/** Count of one reaction. */
export interface Tally {
  readonly content: string
  readonly count: number
  readonly isMine: boolean
}

export interface Said {
  /** Id of a comment; 0 for the text of the issue itself. */
  readonly id: number
  /** `issuecomment-7`, `issue-3`. */
  readonly anchor: string
  readonly user: { readonly id: number; readonly login: string; readonly avatar_url?: string | undefined }
  /** Name of an author without an account here. */
  readonly original?: string | undefined
  readonly created_at: string
  readonly updated_at: string
  readonly body: Html
  readonly files: readonly Attachment[]
  readonly reactions: readonly Tally[]
  /** Written by the author of the issue or pull request. */
  readonly isAuthor: boolean
  /** Address of its edit history, if it was edited. */
  readonly history?: string | undefined
}

export interface SaidFacts {
  /** The page that has the forms `react`, `delete-comment` and `detach`; default: this one. */
  readonly action?: string
  readonly mayEdit: boolean
  readonly mayDelete: boolean
  readonly mayReact: boolean
  /** Replaces «commented». */
  readonly verb?: Piece
  /** Replaces the text while it is edited. */
  readonly editor?: Html | undefined
}

const SIGNS: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  hooray: '🎉',
  confused: '😕',
  heart: '❤️',
  rocket: '🚀',
  eyes: '👀',
}

export function comment(visit: PageVisit, said: Said, facts: SaidFacts): Html {
  const { anchor, user, created_at, updated_at } = said
  return html`<article class="comment box" id="${anchor}" data-entry="${anchor}"><header class="comment-head">
${author(user, said.original, 24)} <span class="quiet-text">${facts.verb ?? words.commented} <a class="quiet-text" href="#${anchor}">${time(created_at, visit.ctx.now())}</a>${
    said.history !== undefined
      ? html` <a class="quiet-text" href="${said.history}">(${words.edited})</a>`
      : updated_at > created_at && html` <span title="${updated_at}">(${words.edited})</span>`
  }</span>${said.isAuthor && pill(words.author)}<span class="grow"></span>${acts(visit, said, facts)}</header>
${facts.editor ?? html`<div class="comment-body">${said.body}</div>${files(visit, said, facts)}${reactions(visit, said, facts)}`}</article>`
}

function acts(visit: PageVisit, said: Said, facts: SaidFacts): Html {
  if (visit.ctx.actor === null) return nothing
  const { id, anchor } = said
  const items = html`<a class="item" href="${sameWith(visit, { quote: anchor, edit: undefined })}#reply" data-quote="${anchor}">${icon('quote')}${words.quote}</a>${
    facts.mayEdit &&
    html`<a class="item" href="${sameWith(visit, { edit: anchor })}#${anchor}">${icon('pencil')}${words.edit}</a>`
  }${
    facts.mayDelete &&
    form(
      visit,
      'delete-comment',
      html`${hidden('id', id)}<button class="item">${icon('trash-2')}${words.delete}</button>`,
      at(facts),
    )
  }<a class="item" href="${links.report(visit.path, id)}">${icon('circle-alert')}${words.report}</a>`
  return html`${facts.mayReact && menu(`react-${anchor}`, icon('smile'), signs(visit, said, facts), words.react)}${menu(
    `menu-${anchor}`,
    icon('ellipsis'),
    items,
    words.menu,
  )}`
}

/** All reactions in one form of eight buttons. */
function signs(visit: PageVisit, { id }: Said, facts: SaidFacts): Html {
  const one = ([content, sign]: [string, string]) =>
    html`<button class="button quiet" name="content" value="${content}" aria-label="${nameOf(content)}" title="${nameOf(content)}">${sign}</button>`
  return form(visit, 'react', html`${hidden('id', id)}${Object.entries(SIGNS).map(one)}`, {
    ...at(facts),
    class: 'signs',
  })
}

/** Pressing an own reaction again removes it. */
function reactions(visit: PageVisit, { id, reactions: tallies }: Said, facts: SaidFacts): Html {
  if (tallies.length === 0) return nothing
  const one = ({ content, count, isMine }: Tally) => {
    const name = words.reacted(nameOf(content), count, isMine)
    const text = html`<span aria-hidden="true">${SIGNS[content] ?? content}</span> ${count}`
    return facts.mayReact
      ? html`<button class="reaction" name="${isMine ? 'remove' : 'content'}" value="${content}" aria-label="${name}" title="${name}" aria-pressed="${isMine ? 'true' : 'false'}">${text}</button>`
      : html`<span class="reaction" role="img" aria-label="${name}" title="${name}">${text}</span>`
  }
  const content = html`${hidden('id', id)}${tallies.map(one)}`
  return facts.mayReact
    ? form(visit, 'react', content, { ...at(facts), class: 'reactions' })
    : html`<div class="reactions">${tallies.map(one)}</div>`
}

function files(visit: PageVisit, { id, files: list }: Said, facts: SaidFacts): Html {
  if (list.length === 0) return nothing
  const one = (file: Attachment) =>
    html`<li>${icon('file')}<a href="${local(file.browser_download_url)}">${file.name}</a> <span class="quiet-text">${bytes(file.size)}</span>${
      facts.mayEdit &&
      formButton(
        visit,
        'detach',
        icon('x'),
        { id, file: file.id },
        { ...at(facts), tone: 'quiet', label: `${words.delete}: ${file.name}` },
      )
    }</li>`
  return html`<ul class="comment-files" aria-label="${words.files}">${list.map(one)}</ul>`
}

/** Save and cancel buttons below an editor. */
export function editorActs(visit: PageVisit, anchor: string): Html {
  return html`<div class="actions">${button(words.save, { tone: 'primary' })}<a class="button" href="${sameWith(visit, { edit: undefined })}#${anchor}">${words.cancel}</a></div>`
}

function nameOf(content: string): string {
  return words.reactions[content as keyof typeof words.reactions] ?? content
}

function at({ action }: SaidFacts): { action?: string } {
  return action === undefined ? {} : { action }
}
