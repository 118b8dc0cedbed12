/**
 * Editor of a file: a text field that works at once and without JavaScript. The island `editor.ts` replaces it after the
 * page is loaded; both are equally high, so nothing moves.
 */
import { addressOf, type Html, html, type PageVisit } from '#platform/page'
import { changeWords as words } from '../../words/change.ts'
import { hidden } from '../forms.ts'

interface TextEditorFacts {
  readonly name: string
  readonly label: string
  readonly value: string
  /** Decides about highlighting, unless the form has a field `path`. */
  readonly path: string
  readonly maxLength: number
  /** The branch that relative links of a preview lead to. */
  readonly preview?: { readonly repository: string; readonly branch: string }
}

const MARKDOWN = /(?:^|\/|\.(?:md|markdown|mdown|mkd))$/i

export function textEditor(visit: PageVisit, facts: TextEditorFacts): Html {
  const { name, label, value, path, maxLength, preview } = facts
  const id = `field-${name}`
  return html`<div class="field text-editor"><div class="editor-head"><label for="${id}">${label}</label>${preview && tabs(visit, facts, preview)}</div>
<textarea id="${id}" name="${name}" rows="24" maxlength="${maxLength}" class="code" spellcheck="false" data-editor="${path}" aria-describedby="${id}-help">
${value}</textarea><div class="box box-text composer-preview" data-preview aria-live="polite"></div><p class="help" id="${id}-help"><span class="with-scripts">${words.editorHelp}</span></p></div>`
}

/** Only for Markdown, and for a file without a name. Without JavaScript the preview is a page of its own. */
function tabs(
  visit: PageVisit,
  { name, path }: TextEditorFacts,
  { repository, branch }: { readonly repository: string; readonly branch: string },
): Html {
  return html`<span class="editor-tabs" data-tabs${!MARKDOWN.test(path) && html` hidden`}><button type="button" class="button quiet with-scripts" data-tab="edit" aria-pressed="true">${words.write}</button>${hidden('preview_place', repository)}${hidden('preview_field', name)}${hidden('preview_mode', 'file')}${hidden('preview_branch', branch)}${hidden('preview_to', addressOf(visit))}
<button type="submit" class="button quiet" formaction="/-/markup" formnovalidate name="form" value="preview" data-does="preview" data-tab="preview" aria-pressed="false">${words.preview}</button></span>`
}
