/** Finds text of a page that stands outside of marks, code and rendered Markdown. */

const TOKENS = /<!--[\s\S]*?-->|<(script|style|pre|code|textarea|kbd)\b[^>]*>[\s\S]*?<\/\1>|<[^>]+>|[^<]+/g
const ATTRIBUTES = /\s(title|aria-label|placeholder|alt)="([^"]*)"/g
const WORD = /\p{L}{2,}/u

export function findUnmarked(page: string): string[] {
  const found: string[] = []
  let depth = 0
  for (const [token] of withoutMarkdown(page).matchAll(TOKENS)) {
    if (token.startsWith('<')) {
      for (const [, , value = ''] of token.matchAll(ATTRIBUTES)) found.push(...outside(value).texts)
      continue
    }
    const { texts, depth: now } = outside(token, depth)
    found.push(...texts)
    depth = now
  }
  return [...new Set(found)]
}

function outside(text: string, begun = 0): { texts: string[]; depth: number } {
  let depth = begun
  const texts: string[] = []
  for (const part of decode(text).split(/([⟦⟧])/)) {
    if (part === '⟦') depth++
    else if (part === '⟧') depth--
    else if (depth === 0)
      texts.push(
        ...part
          .split(' · ')
          .map(bare)
          .filter((it) => WORD.test(it)),
      )
  }
  return { texts, depth }
}

/** Without the punctuation around it. */
function bare(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
}

/** Rendered Markdown has no nested element with that class. */
function withoutMarkdown(page: string): string {
  let rest = page
  for (;;) {
    const begin = rest.search(/<div[^>]* class="[^"]*\bmarkdown\b[^"]*"/)
    if (begin < 0) return rest
    let depth = 0
    const tags = /<(\/?)div\b[^>]*>/g
    tags.lastIndex = begin
    for (let tag = tags.exec(rest); tag !== null; tag = tags.exec(rest)) {
      depth += tag[1] === '' ? 1 : -1
      if (depth === 0) break
    }
    rest = rest.slice(0, begin) + rest.slice(tags.lastIndex || rest.length)
  }
}

function decode(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
