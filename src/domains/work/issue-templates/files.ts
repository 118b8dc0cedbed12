/** Files about issues, as far as the main thread knows them: what is in them is read by `thread.ts`. */

/** By its name a file could be one: text, or a form, but not what says how they are offered. */
export function couldBeTemplate(path: string): boolean {
  return /\.(?:md|ya?ml)$/.test(path) && !/(?:^|\/)config\.ya?ml$/.test(path)
}

export interface IssueConfig {
  readonly blank_issues_enabled: boolean
  readonly contact_links: { readonly name: string; readonly url: string; readonly about: string }[]
}

export interface ReadConfig {
  readonly config: IssueConfig
  /** What is wrong with the file; empty when nothing is. */
  readonly fault: string
}

export const NO_CONFIG: ReadConfig = { config: { blank_issues_enabled: true, contact_links: [] }, fault: '' }
