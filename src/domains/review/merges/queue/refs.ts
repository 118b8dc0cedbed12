/** Refs of tested commits: the commit a pull request would become. Only the forge moves them. */
export const QUEUE_REFS = 'refs/queue/'

/** Only the number: with branch names, one ref could lie below another (`a` and `a/b`), which git forbids. */
export function queueRef(number: number): string {
  return QUEUE_REFS + number
}
