/** Names of refs: those of branches and tags, and which names there may be at all. */
export const HEADS = 'refs/heads/'
export const TAGS = 'refs/tags/'

const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/
const REF_BYTES_MAX = 1_024

/** Git's own rules, so that no name is accepted that git would not read. */
export function isRefName(name: string): boolean {
  return (
    name.startsWith('refs/') &&
    name.split('/').length > 2 &&
    Buffer.byteLength(name) <= REF_BYTES_MAX &&
    !FORBIDDEN.test(name)
  )
}
