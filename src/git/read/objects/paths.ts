/** Paths inside a repository: paths that no tree can contain are answered without git. */
const PATH_BYTES_MAX = 4_096
const NEVER = new Set(['', '.', '..'])

export function isPath(text: string): boolean {
  return (
    !text.includes('\0') &&
    Buffer.byteLength(text) <= PATH_BYTES_MAX &&
    !text.split('/').some((name) => NEVER.has(name))
  )
}
