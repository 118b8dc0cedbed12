/**
 * Live regions. The server announces that a topic has changed, never its content; the browser then fetches the region
 * again. Updates that would move what a user reads wait behind a button, in reserved room.
 */
import { type Html, html, region } from '#platform/page'
import { conversationWords as words } from '../words/conversation.ts'

/** `issue:7`, `run:7`, `board:7`, `inbox`. */
export type Topic = `issue:${number}` | `run:${number}` | `board:${number}` | 'inbox'

/** Swapped as soon as the topic changes. `changesSoon`: also fetched once when the stream opens. */
export function liveRegion(name: string, topic: Topic, content: Html, changesSoon = false): Html {
  return html`<div data-topic="${topic}" data-of="${name}"${changesSoon && html` data-soon`}>${region(name, content)}</div>`
}

/** Swapped when the user presses the button, for content that is being read. */
export function waitingRegion(name: string, topic: Topic, content: Html): Html {
  return html`<div data-topic="${topic}" data-of="${name}" data-waits>${region(name, content)}
<p class="news" role="status"><button type="button" class="link" data-news hidden>${words.news}</button></p></div>`
}
