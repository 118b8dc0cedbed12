/**
 * Formulas in Markdown as GitHub and Gitea have them: `$…$` and `$$…$$` in a line, and lines between two lines `$$`. They
 * become code in the language `math`, which a code block can name as well. They extend the parser of Markdown, because
 * formulas are full of `_`, `*` and `\`, which it would read first.
 */
import type { CompileContext, Token, Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Code, Construct, Effects, Extension, State } from 'micromark-util-types'
import type { Processor } from 'unified'
import type { Node } from '../link-words.ts'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathText: 'mathText'
    mathMark: 'mathMark'
    mathData: 'mathData'
    mathBlock: 'mathBlock'
  }
}

const DOLLAR = 36
const BACKSLASH = 92
/** Dollars that begin a formula of its own, on a line with nothing else. */
const FENCE = 2
/** So that a text of many single dollars is not searched to its end for each of them. */
const LENGTH_MAX = 1_000

/** Codes below zero are line ends, tabs and the spaces that a tab stands for. */
function isLineEnd(code: Code): boolean {
  return code !== null && code < -2
}

function isSpace(code: Code): boolean {
  return code === null || code < 0 || code === 32
}

/** `$5` and `$6` are prices, and a dollar may stand in a word: no formula begins after a letter or ends before one. */
function isWord(code: Code): boolean {
  return code !== null && code >= 0 && /[\p{L}\p{N}]/u.test(String.fromCodePoint(code))
}

const text: Construct = {
  name: 'mathText',
  previous: (code) => code !== DOLLAR && !isWord(code),
  tokenize(effects, ok, nok) {
    let size = 0
    let closed = 0
    let length = 0
    let last: Code = null
    return begin

    function begin(code: Code): State | undefined {
      effects.enter('mathText')
      effects.enter('mathMark')
      return open(code)
    }

    function open(code: Code): State | undefined {
      if (code === DOLLAR && size < FENCE) {
        size += 1
        effects.consume(code)
        return open
      }
      effects.exit('mathMark')
      const isFormula = code !== DOLLAR && (size === FENCE || !isSpace(code))
      return isFormula ? between(code) : nok(code)
    }

    /** A single dollar after a space does not end a formula. */
    function isMark(code: Code): boolean {
      return code === DOLLAR && (size === FENCE || !isSpace(last))
    }

    function between(code: Code): State | undefined {
      if (code === null) return nok(code)
      if (isLineEnd(code)) {
        if (size < FENCE) return nok(code)
        effects.enter('lineEnding')
        effects.consume(code)
        effects.exit('lineEnding')
        return between
      }
      if (isMark(code)) {
        effects.enter('mathMark')
        return close(code)
      }
      effects.enter('mathData')
      return data(code)
    }

    function data(code: Code): State | undefined {
      if (code === null || isLineEnd(code) || isMark(code)) return endData(code)
      length += 1
      if (length > LENGTH_MAX) return nok(code)
      effects.consume(code)
      last = code
      return code === BACKSLASH ? escaped : data
    }

    /** `\$` is a dollar of the formula. */
    function escaped(code: Code): State | undefined {
      if (code === null || isLineEnd(code)) return endData(code)
      effects.consume(code)
      last = code
      return data
    }

    function endData(code: Code): State | undefined {
      effects.exit('mathData')
      return between(code)
    }

    function close(code: Code): State | undefined {
      if (code === DOLLAR && closed < size) {
        closed += 1
        effects.consume(code)
        return close
      }
      if (closed !== size || code === DOLLAR || isWord(code)) return nok(code)
      effects.exit('mathMark')
      effects.exit('mathText')
      return ok(code)
    }
  },
}

const block: Construct = {
  name: 'mathBlock',
  concrete: true,
  tokenize(effects, ok, nok) {
    const isLazy = () => this.parser.lazy[this.now().line] === true
    const fence = { partial: true, tokenize: tokenizeFence }
    return (code) => {
      effects.enter('mathBlock')
      return effects.attempt(fence, lineEnd, nok)(code)
    }

    function lineEnd(code: Code): State | undefined {
      if (code === null) return nok(code)
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return line
    }

    function line(code: Code): State | undefined {
      // A line that continues a quote without its mark is not part of the formula.
      return isLazy() ? nok(code) : effects.attempt(fence, end, content)(code)
    }

    function content(code: Code): State | undefined {
      if (code === null || isLineEnd(code)) return lineEnd(code)
      effects.enter('mathData')
      return data(code)
    }

    function data(code: Code): State | undefined {
      if (code === null || isLineEnd(code)) {
        effects.exit('mathData')
        return lineEnd(code)
      }
      effects.consume(code)
      return data
    }

    function end(code: Code): State | undefined {
      effects.exit('mathBlock')
      return ok(code)
    }
  },
}

/** A line with `$$` alone. */
function tokenizeFence(effects: Effects, ok: State, nok: State): State {
  let dollars = 0
  return (code) => {
    effects.enter('mathMark')
    return mark(code)
  }

  function mark(code: Code): State | undefined {
    if (code === DOLLAR && dollars < FENCE) {
      dollars += 1
      effects.consume(code)
      return mark
    }
    return dollars === FENCE ? rest(code) : nok(code)
  }

  function rest(code: Code): State | undefined {
    if (code === null || isLineEnd(code)) {
      effects.exit('mathMark')
      return ok(code)
    }
    if (!isSpace(code)) return nok(code)
    effects.consume(code)
    return rest
  }
}

const syntax: Extension = { text: { [DOLLAR]: text }, flow: { [DOLLAR]: block } }

const INLINE = { hProperties: { className: ['language-math'] } }
const DISPLAYED = { ...INLINE }

const tree: TreeExtension = {
  enter: {
    mathText(token) {
      const data = this.sliceSerialize(token).startsWith('$$') ? DISPLAYED : INLINE
      this.enter({ type: 'inlineCode', value: '', data }, token)
      this.buffer()
    },
    mathBlock(token) {
      this.enter({ type: 'code', lang: 'math', value: '' }, token)
      this.buffer()
    },
    mathData(token) {
      this.config.enter.data?.call(this, token)
    },
  },
  exit: {
    mathText: exitFormula,
    mathBlock: exitFormula,
    mathData(token) {
      this.config.exit.data?.call(this, token)
    },
  },
}

function exitFormula(this: CompileContext, token: Token): void {
  const value = this.resume().trim()
  const node = this.stack.at(-1)
  if (node !== undefined && 'value' in node) node.value = value
  this.exit(token)
}

/** A paragraph that is nothing but `$$…$$` is a block. */
function liftBlocks(node: Node): void {
  if (node.children === undefined) return
  node.children = node.children.map((child) => {
    const [only, more] = child.type === 'paragraph' ? (child.children ?? []) : []
    if (only?.data === DISPLAYED && more === undefined)
      return { type: 'code', lang: 'math', value: only.value ?? '' }
    liftBlocks(child)
    return child
  })
}

/** Plugin of remark. */
export function remarkDollars(this: Processor): (root: Node) => void {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), tree]
  return liftBlocks
}
