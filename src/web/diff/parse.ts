/**
 * Streaming parser of git's unified diff output, file by file. It never fails: unknown lines are skipped, and of a
 * file that is too large the beginning is kept.
 */
import type { FilePatch, PatchHunk } from './patch.ts'
import { namesOf, unquote } from './quoted.ts'

/** Limits of one file. */
const FILE_LINES_MAX = 20_000
const FILE_CHARACTERS_MAX = 2_000_000
/** Limit of one line, before it is truncated; bounds the memory for input without line ends. */
const LINE_CHARACTERS_MAX = 1_000_000

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s

/** Chunks of bytes or text, split anywhere. */
export async function* parsePatch(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<FilePatch> {
  const reader = new PatchReader()
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    yield* reader.add(text)
  }
  yield* reader.add(decoder.decode())
  yield* reader.end()
}

export function parsePatchText(text: string): FilePatch[] {
  const reader = new PatchReader()
  return [...reader.add(text), ...reader.end()]
}

class PatchReader {
  #rest = ''
  #file: OpenFile | undefined;

  *add(text: string): Generator<FilePatch> {
    const lines = (this.#rest + text).split('\n')
    const rest = lines.pop() ?? ''
    this.#rest = rest.length > LINE_CHARACTERS_MAX ? rest.slice(0, LINE_CHARACTERS_MAX) : rest
    for (const line of lines) yield* this.#addLine(line)
  }

  *end(): Generator<FilePatch> {
    if (this.#rest !== '') yield* this.#addLine(this.#rest)
    this.#rest = ''
    if (this.#file !== undefined) yield this.#file.close()
    this.#file = undefined
  }

  *#addLine(line: string): Generator<FilePatch> {
    // In a hunk every line has a mark, so a line of a file is never taken for a heading.
    if (!line.startsWith('diff --git ') || this.#file?.isInHunk === true) return this.#file?.add(line)
    if (this.#file !== undefined) yield this.#file.close()
    this.#file = new OpenFile(line.slice('diff --git '.length))
  }
}

/** The file that is being parsed. */
class OpenFile {
  #path: string
  #oldPath: string
  #hasMoved: 'renamed' | 'copied' | null = null
  #status: 'added' | 'modified' | 'deleted' = 'modified'
  #oldMode = ''
  #mode = ''
  #isBinary = false
  #isCut = false
  #lines = 0
  #characters = 0
  readonly #hunks: PatchHunk[] = []
  /** Remaining lines of each side in the current hunk. */
  #oldLeft = 0
  #newLeft = 0

  constructor(names: string) {
    const [oldPath, path] = namesOf(names)
    this.#oldPath = oldPath
    this.#path = path
  }

  get isInHunk(): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0
  }

  add(line: string): void {
    if (this.isInHunk) this.#addToHunk(line)
    else if (line.startsWith('\\') && this.#hunks.length > 0) this.#keep(line)
    else if (line.startsWith('@@ ')) this.#openHunk(line)
    else this.#addHeader(line)
  }

  close(): FilePatch {
    const hasMoved = this.#hasMoved !== null
    return {
      path: this.#path,
      oldPath: hasMoved ? this.#oldPath : null,
      status: this.#hasMoved ?? this.#status,
      oldMode: this.#oldMode,
      mode: this.#mode,
      isBinary: this.#isBinary,
      hunks: this.#hunks,
      isCut: this.#isCut,
    }
  }

  #openHunk(line: string): void {
    const [, oldStart, oldCount = '1', newStart, newCount = '1', heading = ''] = HUNK.exec(line) ?? []
    if (oldStart === undefined || newStart === undefined) return
    this.#oldLeft = Number(oldCount)
    this.#newLeft = Number(newCount)
    if (!this.#isCut)
      this.#hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), heading, lines: [] })
  }

  #addToHunk(line: string): void {
    const mark = line[0]
    if (mark === '+') this.#newLeft -= 1
    else if (mark === '-') this.#oldLeft -= 1
    else if (mark !== '\\') {
      this.#oldLeft -= 1
      this.#newLeft -= 1
    }
    // Some programs omit the blank of an empty context line.
    this.#keep(line === '' ? ' ' : line)
  }

  #keep(line: string): void {
    this.#lines += 1
    this.#characters += line.length
    if (this.#lines > FILE_LINES_MAX || this.#characters > FILE_CHARACTERS_MAX) this.#isCut = true
    if (!this.#isCut) this.#hunks.at(-1)?.lines.push(line)
  }

  #addHeader(line: string): void {
    const header = HEADERS.find(([start]) => line.startsWith(start))
    if (header !== undefined) this.#learn(header[1], line.slice(header[0].length))
  }

  #learn(fact: Fact, value: string): void {
    if (fact === 'oldPath' && value !== '/dev/null') this.#oldPath = unquote(value).replace(/^a\//, '')
    else if (fact === 'path' && value !== '/dev/null') this.#path = unquote(value).replace(/^b\//, '')
    else if (fact === 'from') this.#oldPath = unquote(value)
    else if (fact === 'to') this.#path = unquote(value)
    if (fact === 'from') this.#hasMoved ??= 'renamed'
    if (fact === 'copied') {
      this.#oldPath = unquote(value)
      this.#hasMoved = 'copied'
    }
    if (fact === 'oldMode') this.#oldMode = value
    if (fact === 'mode') this.#mode = value
    if (fact === 'added') [this.#status, this.#mode] = ['added', value]
    if (fact === 'deleted') [this.#status, this.#oldMode] = ['deleted', value]
    if (fact === 'index') this.#mode ||= /^[0-9a-f]+\.\.[0-9a-f]+ (\d+)$/.exec(value)?.[1] ?? ''
    if (fact === 'binary') this.#isBinary = true
  }
}

type Fact =
  | 'oldPath'
  | 'path'
  | 'from'
  | 'to'
  | 'copied'
  | 'oldMode'
  | 'mode'
  | 'added'
  | 'deleted'
  | 'index'
  | 'binary'

const HEADERS: readonly (readonly [start: string, fact: Fact])[] = [
  ['--- ', 'oldPath'],
  ['+++ ', 'path'],
  ['rename from ', 'from'],
  ['rename to ', 'to'],
  ['copy from ', 'copied'],
  ['copy to ', 'to'],
  ['old mode ', 'oldMode'],
  ['new mode ', 'mode'],
  ['new file mode ', 'added'],
  ['deleted file mode ', 'deleted'],
  ['index ', 'index'],
  ['Binary files ', 'binary'],
  ['GIT binary patch', 'binary'],
]
