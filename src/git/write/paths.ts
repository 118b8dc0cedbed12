/** Which paths may be written: those that every git on every system can check out, without hidden characters. */
const SEGMENT_BYTES_MAX = 255
const PATH_BYTES_MAX = 4_096

/** Characters that some file systems drop from names: a name with one of them may still become `.git`. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a path
const CONTROL = /[\0-\x1f\x7f]/

export function isWritablePath(path: string): boolean {
  return (
    path.isWellFormed() &&
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    !CONTROL.test(path) &&
    path.split('/').every(isWritableName)
  )
}

/** On Windows a backslash separates folders, a letter and a colon name a drive, and trailing dots and spaces vanish. */
const ELSEWHERE = /\\|^[a-z]:|^[. ]*$/i

function isWritableName(name: string): boolean {
  return Buffer.byteLength(name) <= SEGMENT_BYTES_MAX && !ELSEWHERE.test(name) && !isGitFolder(name)
}

/** All names that some system takes for `.git`: other case, trailing dots and spaces, streams, short names. */
function isGitFolder(name: string): boolean {
  const plain = name.replaceAll(IGNORED, '').toLowerCase()
  const [file = ''] = plain.split(':', 1)
  const trimmed = file.replaceAll(/[. ]+$/g, '')
  return trimmed === '.git' || trimmed === 'git~1'
}
