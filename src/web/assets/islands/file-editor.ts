/**
 * The editor of a file: line numbers, highlighting, indentation, search, undo. CodeMirror is in a shadow tree, because
 * there it needs no inline style sheet, which the page's policy refuses. The text field keeps the text for the form.
 */
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, countColumn, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { languageOf } from './editor-language.ts'

/** How long the text field may lag behind: its drafts need it, and the form gets it when it is sent. */
const LAG_MS = 300

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.comment, tags.meta], color: 'var(--code-comment)' },
  { tag: [tags.function(tags.variableName), tags.labelName], color: 'var(--code-function)' },
  { tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--code-type)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  { tag: [tags.propertyName, tags.attributeName, tags.url], color: 'var(--code-property)' },
  { tag: tags.heading, color: 'var(--code-keyword)', fontWeight: 'bold' },
  { tag: tags.strong, fontWeight: 'bold' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    border: '1px solid var(--field-edge)',
    borderRadius: 'var(--radius)',
    background: 'var(--paper)',
    color: 'var(--ink)',
  },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '-2px' },
  '.cm-scroller': { font: '12.5px/20px var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--sunken)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--done-tint)',
  },
  '.cm-panels': { background: 'var(--surface)', color: 'var(--ink)', font: '13px/20px var(--sans)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': { background: 'var(--paper)', border: '1px solid var(--field-edge)' },
  '.cm-button': { background: 'var(--paper)', border: '1px solid var(--field-edge)', cursor: 'pointer' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
  '.cm-searchMatch': { background: 'var(--warn-tint)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--good-tint)' },
})

/** Replaces the text field; focus and selection stay. */
export async function edit(area: HTMLTextAreaElement, more: Extension = []): Promise<EditorView> {
  const path = area.form?.querySelector<HTMLInputElement>('[name="path"]')
  const language = new Compartment()
  const first = await supportOf(path?.value ?? area.dataset.editor ?? '')
  const host = document.createElement('div')
  host.className = 'editor'
  host.style.height = area.style.height
  const root = host.attachShadow({ mode: 'open' })
  const hadFocus = document.activeElement === area
  const { selectionStart: anchor, selectionEnd: head, scrollTop } = area
  const state = EditorState.create({
    doc: area.value,
    selection: { anchor, head },
    extensions: [language.of(first), ...extensionsOf(area), more],
  })
  const view = new EditorView({ state, root, parent: root })
  area.hidden = true
  area.after(host)
  view.scrollDOM.scrollTop = scrollTop
  if (hadFocus) view.focus()
  takeLabels(area, view)
  // Keys without modifiers are text here, not shortcuts of the page.
  host.addEventListener('keydown', (event) => {
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
  })
  area.form?.addEventListener('formdata', ({ formData }) =>
    formData.set(area.name, view.state.doc.toString()),
  )
  path?.addEventListener('change', async () => {
    view.dispatch({ effects: language.reconfigure(await supportOf(path.value)) })
  })
  return view
}

/** Prose has long lines. */
async function supportOf(path: string): Promise<Extension> {
  const support = (await languageOf(path).catch(() => undefined)) ?? []
  return /\.(?:md|markdown|mdown|mkd|txt)$/i.test(path) ? [support, EditorView.lineWrapping] : support
}

/** A label cannot name an element of a shadow tree. */
function takeLabels(area: HTMLTextAreaElement, view: EditorView): void {
  for (const label of [...area.labels]) {
    label.removeAttribute('for')
    label.addEventListener('click', () => view.focus())
  }
}

function extensionsOf(area: HTMLTextAreaElement): Extension[] {
  const label = area.labels[0]?.textContent ?? ''
  const help = document.getElementById(area.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
  return [
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of(unitOf(area.value)),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    syntaxHighlighting(COLOURS),
    keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap, TAB]),
    EditorView.contentAttributes.of({ 'aria-label': label, 'aria-description': help, tabindex: '0' }),
    LOOK,
    follow(area),
  ]
}

/** Without a selection Tab fills up to the next stop, at the cursor. */
function indent(view: EditorView): boolean {
  const { state } = view
  const { main } = state.selection
  if (!main.empty || state.selection.ranges.length > 1) return indentMore(view)
  const unit = state.facet(indentUnit)
  const column = countColumn(state.sliceDoc(state.doc.lineAt(main.head).from, main.head), state.tabSize)
  const text = unit === '\t' ? unit : ' '.repeat(unit.length - (column % unit.length))
  view.dispatch(state.update(state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' }))
  return true
}

const TAB = { key: 'Tab', run: indent, shift: indentLess }

/** Indents as the file does. */
function unitOf(text: string): string {
  return /^(\t| {2,8})(?=\S)/m.exec(text)?.[1] ?? '  '
}

function follow(area: HTMLTextAreaElement): Extension {
  let timer: ReturnType<typeof setTimeout> | undefined
  return EditorView.updateListener.of(({ docChanged, view }) => {
    if (!docChanged) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      area.value = view.state.doc.toString()
      area.dispatchEvent(new Event('input', { bubbles: true }))
    }, LAG_MS)
  })
}
