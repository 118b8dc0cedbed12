/** Issue template files as the main thread sees them; `thread.ts` parses them. */

/** Whether the name can be a template: Markdown or a form, but not the config file. */
export function couldBeTemplate(path: string): boolean {
  return /\.(?:md|ya?ml)$/.test(path) && !/(?:^|\/)config\.ya?ml$/.test(path)
}

export interface IssueConfig {
  readonly blank_issues_enabled: boolean
  readonly contact_links: { readonly name: string; readonly url: string; readonly about: string }[]
}

export interface ReadConfig {
  readonly config: IssueConfig
  /** What is wrong with the file; empty if it is valid. */
  readonly fault: string
}

export const NO_CONFIG: ReadConfig = { config: { blank_issues_enabled: true, contact_links: [] }, fault: '' }
