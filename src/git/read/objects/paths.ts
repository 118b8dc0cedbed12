/** Paths inside a repository, as they may be asked for: what no tree can hold is answered without asking git. */
const PATH_BYTES_MAX = 4_096
const NEVER = new Set(['', '.', '..'])

export function isPath(text: string): boolean {
  return (
    !text.includes('\0') &&
    Buffer.byteLength(text) <= PATH_BYTES_MAX &&
    !text.split('/').some((name) => NEVER.has(name))
  )
}
