/**
 * Editor for Markdown: a plain textarea, saved as a draft, with a preview and files that work without JavaScript. The
 * toolbar, completion and pasted pictures are the island `composer.ts`. The surrounding `form` must have the same
 * `draft`.
 */
import { addressOf, type Html, html, type PageVisit, type Piece } from '#platform/page'
import { conversationWords as words } from '../../words/conversation.ts'
import { icon } from '../basics.ts'
import { hidden } from '../forms.ts'

interface ComposerFacts {
  readonly name?: string
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value?: string
  /** Place of the draft; the same as of the surrounding form. */
  readonly draft?: string | undefined
  /** The page that the surrounding form is sent to; default: this one. */
  readonly action?: string
  /** `owner/name` of the repository that references like `#12` resolve in. */
  readonly place?: string
  /** Wiki pages have links of their own. */
  readonly mode?: 'comment' | 'wiki'
  readonly hint?: Piece
  readonly rows?: number
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly placeholder?: string
  /** Needed if the page has several composers. */
  readonly id?: string
  readonly key?: string
  /** Accepts files; the surrounding form must set `hasFiles`. */
  readonly takesFiles?: boolean
}

const TOOLS: readonly (readonly [keyof typeof words.tools, string])[] = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['code', 'code'],
  ['link', 'link'],
  ['quote', 'quote'],
  ['list', 'list'],
  ['numbers', 'list-ordered'],
]

export function composer(visit: PageVisit, facts: ComposerFacts): Html {
  const { name = 'body', label, value = '', rows = 6, hint = hintOf(facts), place = '', mode } = facts
  const id = facts.id ?? `field-${name}`
  return html`<div class="composer field">${facts.draft !== undefined && hidden('draft', facts.draft)}
<label for="${id}"${facts.isLabelHidden && html` class="unseen"`}>${label}</label>${toolbar(id)}
<textarea id="${id}" name="${name}" rows="${rows}" maxlength="${facts.maxLength ?? 65_535}" aria-describedby="${id}-help"${facts.isRequired && html` required`}${
    facts.placeholder && html` placeholder="${facts.placeholder}"`
  }${facts.key && html` data-key="${facts.key}"`}>
${value}</textarea>
<div class="composer-foot"><span class="help" id="${id}-help">${hint}</span><span class="grow"></span>${
    facts.draft !== undefined &&
    html`<span class="help" role="status" data-saved="${words.draftSaved}" hidden></span>`
  }${
    facts.takesFiles &&
    html`<label class="unseen" for="${id}-files">${words.attach}</label><input id="${id}-files" type="file" name="files" multiple>`
  }${hidden('preview_place', place)}${hidden('preview_field', name)}${mode && hidden('preview_mode', mode)}${hidden('preview_to', facts.action ?? addressOf(visit))}
<button type="submit" class="button quiet" formaction="/-/markup" formnovalidate name="form" value="preview" data-does="preview">${words.preview}</button></div>
<div class="composer-preview" data-preview aria-live="polite"></div></div>`
}

function hintOf({ takesFiles }: ComposerFacts): Html {
  return html`${words.hint} <span class="with-scripts">${takesFiles && words.hintOfFiles} ${words.hintOfScripts}</span>`
}

/** One stop of the tab key; arrow keys move inside. */
function toolbar(id: string): Html {
  const tool = ([name, iconName]: (typeof TOOLS)[number], i: number) =>
    html`<button type="button" class="button quiet" data-does="format" data-format="${name}" aria-label="${words.tools[name]}" title="${words.tools[name]}"${i > 0 && html` tabindex="-1"`}>${icon(iconName)}</button>`
  return html`<div class="composer-tools with-scripts" role="toolbar" aria-label="${words.toolbar}" aria-controls="${id}">${TOOLS.map(tool)}</div>`
}
