/** The draft state of a pull request is part of its title. */

/** Compat: these prefixes mark a draft. */
const PREFIXES = /^\s*(?:wip:|\[wip\])\s*/i

export function asDraft(title: string): string {
  return `WIP: ${title}`
}

export function withoutDraft(title: string): string {
  return title.replace(PREFIXES, '')
}
