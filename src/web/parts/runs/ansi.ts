/** ANSI colours as classes; all other escape sequences are removed. */
export interface Run {
  readonly text: string
  /** One of eight colours, and bold; empty for none. */
  readonly class: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what terminals are told by
const SEQUENCE = /\u001b(?:\[([\d;]*)([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])/g
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']
const BOLD = 1
const NOT_BOLD = 22
const DEFAULT = 39

interface Pen {
  colour: string
  isBold: boolean
}

/** One line. Styles end with the line, because lines are rendered independently. */
export function ansiRuns(line: string): Run[] {
  const pen: Pen = { colour: '', isBold: false }
  const runs: Run[] = []
  const add = (text: string) => {
    if (text === '') return
    const name = [pen.colour && `ansi-${pen.colour}`, pen.isBold && 'ansi-bold'].filter(Boolean).join(' ')
    runs.push({ text, class: name })
  }
  let end = 0
  for (const found of line.matchAll(SEQUENCE)) {
    add(line.slice(end, found.index))
    end = found.index + found[0].length
    if (found[2] === 'm') turn(pen, (found[1] ?? '').split(';').map(Number))
  }
  add(line.slice(end))
  return runs
}

function turn(pen: Pen, codes: readonly number[]): void {
  for (const code of codes) {
    if (code === 0) Object.assign(pen, { colour: '', isBold: false })
    else if (code === BOLD) pen.isBold = true
    else if (code === NOT_BOLD) pen.isBold = false
    else if (code === DEFAULT) pen.colour = ''
    else
      pen.colour =
        NAMES[code % 10] !== undefined && /^(3|9)\d$/.test(String(code))
          ? (NAMES[code % 10] ?? '')
          : pen.colour
  }
}
