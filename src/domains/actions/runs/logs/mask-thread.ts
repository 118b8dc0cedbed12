/** The thread that hides secrets in lines. */
import { answerOrders } from '#platform/thread'
import { Masks } from './masks.ts'

export interface MaskOrder {
  readonly secrets: readonly string[]
  readonly lines: readonly string[]
}

export interface Masked {
  readonly lines: readonly string[]
  /** Lines at the end that may hold the beginning of a secret whose rest is still to come. */
  readonly open: number
}

answerOrders(({ secrets, lines }: MaskOrder): Masked => {
  const masks = new Masks(secrets)
  return { lines: masks.hide(lines), open: masks.countOpen(lines) }
})
