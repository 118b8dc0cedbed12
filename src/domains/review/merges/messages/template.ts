/** Merge message templates: the first line is the title, and `${Variable}` is expanded. Pure. */
import type { PullFacts } from './default-message.ts'

export interface Filled {
  readonly title: string
  readonly body: string
}

const VARIABLE = /\$\{(\w{1,40})\}/g

/** Compat: the reference's variable names; any other name expands to nothing. */
function valuesOf(facts: PullFacts): Readonly<Record<string, string>> {
  const { base, head, title, description, poster, number, closing, address } = facts
  return {
    BaseRepoOwnerName: base.owner,
    BaseRepoName: base.name,
    BaseBranch: base.branch,
    HeadRepoOwnerName: head.owner,
    HeadRepoName: head.name,
    HeadBranch: head.branch,
    PullRequestTitle: title,
    PullRequestDescription: description,
    PullRequestPosterName: poster,
    PullRequestIndex: String(number),
    PullRequestReference: `#${number}`,
    ClosingIssues: closing.map(nameOf).join(', '),
    ReviewedOn: `Reviewed-on: ${address}`,
  }
}

function nameOf({ owner, name, number }: PullFacts['closing'][number]): string {
  return owner === null || name === null ? `close #${number}` : `close ${owner}/${name}#${number}`
}

/** Expanded values are not expanded again. */
export function fillIn(template: string, facts: PullFacts): Filled {
  const values = valuesOf(facts)
  const fill = (text: string) =>
    text.replaceAll(VARIABLE, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))
  const [first = '', ...rest] = template.replaceAll('\r\n', '\n').trim().split('\n')
  return { title: fill(first).trim(), body: fill(rest.join('\n')).trim() }
}
