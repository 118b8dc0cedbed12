/** Parses `.gitmodules`. */
const SECTION = /^\s*\[submodule\b/i
const SETTING = /^\s*(path|url)\s*=\s*(.*?)\s*$/i

/** URLs by path. Invalid sections are skipped. */
export function parseGitmodules(text: string): Map<string, string> {
  const urls = new Map<string, string>()
  let section: { path?: string; url?: string } = {}
  const close = () => {
    if (section.path !== undefined && section.url !== undefined) urls.set(section.path, section.url)
    section = {}
  }
  for (const line of text.split(/\r?\n/)) {
    if (SECTION.test(line)) close()
    const [, name, value = ''] = SETTING.exec(line) ?? []
    if (name === undefined) continue
    section[name.toLowerCase() as 'path' | 'url'] = value.replaceAll(/^"|"$/g, '')
  }
  close()
  return urls
}
