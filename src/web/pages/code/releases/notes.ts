/** Release notes written from the pull requests that were merged since the last release. */
import type { FormVisit } from '#platform/page'
import { Problem } from '#platform/problem'
import { links, type RepositoryPath, repositoryAt } from '../../../links.ts'
import { releaseWords as words } from '../../../words/releases.ts'

interface Wanted {
  readonly tag: string
  /** Where the tag will be created if it does not exist. */
  readonly target: string
}

export async function writeNotes(
  { ask, ctx, params }: FormVisit<RepositoryPath>,
  { tag, target }: Wanted,
): Promise<string> {
  const releases = await ask('repoListReleases', { ...params, draft: false, limit: 2 })
  const before = releases.find(({ tag_name }) => tag_name !== tag)?.tag_name
  const between = (head: string) =>
    ask('pullListMergedBetween', { ...params, head, ...(before && { base: before }) })
  const pulls = await between(tag).catch((error: unknown) => {
    if (!(error instanceof Problem && error.kind === 'not_found')) throw error
    return between(target)
  })
  const changes = pulls.map((pull) => `* ${words.change(pull)}`)
  const list = [`## ${words.changes}`, '', ...(changes.length > 0 ? changes : [words.noChanges])]
  if (before === undefined || tag === '') return list.join('\n')
  const compare = new URL(links.compare(repositoryAt(params), before, tag), ctx.site.url)
  return [...list, '', `**${words.fullChangelog}**: ${compare}`].join('\n')
}
