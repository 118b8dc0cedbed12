/** Turns code in the language `math` into MathML. */
import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { type defaultSchema } from 'rehype-sanitize'
import temml from 'temml'
import { unified } from 'unified'
import type { Node } from '../link-words.ts'

/** Formulas of one text, and characters of one. */
const FORMULAS_MAX = 500
const LENGTH_MAX = 5_000

/** The elements and attributes of MathML Core that Temml writes; none loads anything or leads anywhere. */
const SAFE: typeof defaultSchema = {
  tagNames:
    'math mi mn mo ms mspace mtext menclose merror mfrac mpadded mphantom mroot mrow msqrt mstyle mmultiscripts mover mprescripts msub msubsup msup munder munderover mtable mtd mtr'.split(
      ' ',
    ),
  attributes: {
    '*': 'accent accentunder columnalign columnlines columnspacing columnspan depth display displaystyle fence form frame height linethickness lspace mathvariant maxsize minsize movablelimits notation rowlines rowSpan rowspacing rspace scriptlevel separator stretchy symmetric voffset width'.split(
      ' ',
    ),
    mtd: [['className', 'tml-left', 'tml-right']],
    menclose: [['className', 'tml-overline', 'tml-underline']],
  },
}
const mathMl = unified().use(rehypeRaw).use(rehypeSanitize, SAFE).freeze()

/** Invariant: runs after sanitizing; of the text only the formula is used, and what Temml makes of it is sanitized. */
export function renderMath(root: Node): void {
  let left = FORMULAS_MAX
  const visit = (node: Node): void => {
    if (node.children === undefined) return
    node.children = node.children.flatMap((child) => {
      const formula = formulaOf(child)
      if (formula === undefined || left === 0) {
        visit(child)
        return child
      }
      left -= 1
      return mathOf(formula, child.tagName === 'pre') ?? child
    })
  }
  visit(root)
}

/** The source of a formula, in a line or in a block. */
function formulaOf(node: Node): string | undefined {
  const code = node.tagName === 'pre' ? node.children?.[0] : node
  const classes = code?.tagName === 'code' ? code.properties?.className : undefined
  if (!Array.isArray(classes) || !classes.includes('language-math')) return undefined
  const formula = (code?.children ?? []).map(({ value = '' }) => value).join('')
  return formula.length <= LENGTH_MAX ? formula : undefined
}

/** Undefined for what is no formula: it stays code. */
function mathOf(formula: string, isBlock: boolean): Node[] | undefined {
  try {
    const value = temml.renderToString(formula, { displayMode: isBlock, throwOnError: true, maxExpand: 100 })
    const root: Node = mathMl.runSync({ type: 'root', children: [{ type: 'raw', value }] })
    return root.children
  } catch {
    return undefined
  }
}
