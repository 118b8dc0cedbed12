/** Which names a ref may have: git's own rules, so that no name is accepted that git would not read. */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/
const REF_BYTES_MAX = 1_024

export function isRefName(name: string): boolean {
  return (
    name.startsWith('refs/') &&
    name.split('/').length > 2 &&
    Buffer.byteLength(name) <= REF_BYTES_MAX &&
    !FORBIDDEN.test(name)
  )
}
