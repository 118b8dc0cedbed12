/**
 * Parts of a page that stay new. The browser is told that there is something newer about a topic, never what it is; it asks
 * for the region again. What would move under somebody's hands waits behind «show what is new», in room that is kept for it.
 */
import { type Html, html, region } from '#platform/page'
import { talkWords as words } from '../words/en/talk.ts'

/** `issue:7`, `run:7`, `board:7`, `inbox`. */
export type Topic = `issue:${number}` | `run:${number}` | `board:${number}` | 'inbox'

/** Swapped as soon as there is something newer. What changes any moment does so too before the browser listens. */
export function liveRegion(name: string, topic: Topic, content: Html, changesSoon = false): Html {
  return html`<div data-topic="${topic}" data-of="${name}"${changesSoon && html` data-soon`}>${region(name, content)}</div>`
}

/** Swapped when somebody asks for it: for what is read. */
export function waitingRegion(name: string, topic: Topic, content: Html): Html {
  return html`<div data-topic="${topic}" data-of="${name}" data-waits>${region(name, content)}
<p class="news" role="status"><button type="button" class="link" data-news hidden>${words.news}</button></p></div>`
}
