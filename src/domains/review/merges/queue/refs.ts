/** Where git finds what is tested: the commit that a pull request would land with, moved by the forge alone. */
export const QUEUE_REFS = 'refs/queue/'

/** By its number alone: with the name of its branch, that of one could lie below that of another. */
export function queueRef(number: number): string {
  return QUEUE_REFS + number
}
