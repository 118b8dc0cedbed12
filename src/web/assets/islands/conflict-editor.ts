/** The editor of a file with conflicts, whose sides have different colours. */
import { RangeSetBuilder, StateField, type Text } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { edit } from './file-editor.ts'

export interface Writing {
  text(): string
  position(): number
  /** Moves the cursor to the beginning of a line and shows it. */
  go(to: number): void
}

type Side = 'none' | 'ours' | 'theirs'

const SIDES = {
  none: undefined,
  marker: lineOf('cm-marker'),
  ours: lineOf('cm-ours'),
  theirs: lineOf('cm-theirs'),
} as const

function lineOf(name: string): Decoration {
  return Decoration.line({ class: name })
}

const LOOK = EditorView.theme({
  '.cm-line.cm-marker': { color: 'var(--ink-2)', fontWeight: '600', background: 'var(--sunken)' },
  '.cm-line.cm-ours': { background: 'var(--good-tint)' },
  '.cm-line.cm-theirs': { background: 'var(--done-tint)' },
})

const colours = StateField.define<DecorationSet>({
  create: ({ doc }) => colour(doc),
  update: (known, { docChanged, newDoc }) => (docChanged ? colour(newDoc) : known),
  provide: (field) => EditorView.decorations.from(field),
})

function colour(doc: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  let side: Side = 'none'
  let at = 0
  for (const line of doc.iterLines()) {
    const next = sideAfter(line, side)
    const decoration = next === side ? SIDES[side] : SIDES.marker
    if (decoration) builder.add(at, at, decoration)
    side = next
    at += line.length + 1
  }
  return builder.finish()
}

/** Each marker leads to another side. */
function sideAfter(line: string, side: Side): Side {
  if (side === 'none') return line.startsWith('<<<<<<< ') ? 'ours' : side
  if (line.startsWith('>>>>>>> ')) return 'none'
  return line === '=======' ? 'theirs' : side
}

export async function editConflicts(area: HTMLTextAreaElement): Promise<Writing> {
  const view = await edit(area, [colours, LOOK])
  return {
    text: () => view.state.doc.toString(),
    position: () => view.state.selection.main.head,
    go(to) {
      view.dispatch({ selection: { anchor: to }, effects: EditorView.scrollIntoView(to, { y: 'center' }) })
      view.focus()
    },
  }
}
