/** Ref names: prefixes of branches and tags, and the rules for valid names. */
export const HEADS = 'refs/heads/'
export const TAGS = 'refs/tags/'

const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/
const REF_BYTES_MAX = 1_024

/** Git's own rules, so that every accepted name can be read by git. */
export function isRefName(name: string): boolean {
  return (
    name.startsWith('refs/') &&
    name.split('/').length > 2 &&
    Buffer.byteLength(name) <= REF_BYTES_MAX &&
    !FORBIDDEN.test(name)
  )
}
