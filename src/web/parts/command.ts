/** Commands that readers copy into a shell. */

/** Names of branches and files may hold characters that a shell would run. */
export function shellWord(text: string): string {
  return /^[\w./:@%=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
