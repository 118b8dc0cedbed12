/** Worker thread that masks secrets in lines. */
import { answerOrders } from '#platform/thread'
import { Masks } from './masks.ts'

export interface MaskOrder {
  readonly secrets: readonly string[]
  readonly lines: readonly string[]
}

export interface Masked {
  readonly lines: readonly string[]
  /** Number of trailing lines that may contain the beginning of a secret that continues in later lines. */
  readonly open: number
}

answerOrders(({ secrets, lines }: MaskOrder): Masked => {
  const masks = new Masks(secrets)
  return { lines: masks.hide(lines), open: masks.countOpen(lines) }
})
