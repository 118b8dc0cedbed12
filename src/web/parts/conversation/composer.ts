/**
 * Editor for Markdown: a plain textarea, saved as a draft, with a preview that works without JavaScript. The
 * surrounding `form` must have the same `draft`.
 */
import { addressOf, type Html, html, type PageVisit, type Piece } from '#platform/page'
import { conversationWords as words } from '../../words/en/conversation.ts'
import { hidden } from '../forms.ts'

interface ComposerFacts {
  readonly name?: string
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value?: string
  /** Place of the draft; the same as of the surrounding form. */
  readonly draft?: string
  /** The page that the surrounding form is sent to; default: this one. */
  readonly action?: string
  /** `owner/name` of the repository that references like `#12` resolve in. */
  readonly place?: string
  readonly hint?: Piece
  readonly rows?: number
  readonly isRequired?: boolean
  readonly placeholder?: string
  /** Needed if the page has several composers. */
  readonly id?: string
  readonly key?: string
  /** Accepts files; the surrounding form must set `hasFiles`. */
  readonly takesFiles?: boolean
}

const HINT = html`${words.hint} <span class="with-scripts">${words.hintOfScripts}</span>`

export function composer(visit: PageVisit, facts: ComposerFacts): Html {
  const { name = 'body', label, value = '', rows = 6, hint = HINT, place = '' } = facts
  const id = facts.id ?? `field-${name}`
  return html`<div class="composer field">${facts.draft !== undefined && hidden('draft', facts.draft)}
<label for="${id}"${facts.isLabelHidden && html` class="unseen"`}>${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" maxlength="65535" aria-describedby="${id}-help"${facts.isRequired && html` required`}${
    facts.placeholder && html` placeholder="${facts.placeholder}"`
  }${facts.key && html` data-key="${facts.key}"`}>
${value}</textarea>
<div class="composer-foot"><span class="help" id="${id}-help">${hint}</span><span class="grow"></span>${
    facts.takesFiles &&
    html`<label class="unseen" for="${id}-files">${words.attach}</label><input id="${id}-files" type="file" name="files" multiple>`
  }${hidden('preview_place', place)}${hidden('preview_field', name)}${hidden('preview_to', facts.action ?? addressOf(visit))}
<button type="submit" class="button quiet" formaction="/-/markup" formnovalidate name="form" value="preview" data-does="preview">${words.preview}</button></div>
<div class="composer-preview" data-preview aria-live="polite"></div></div>`
}
