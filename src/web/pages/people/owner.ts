/** Shared by pages of users and organizations. */
import type { Html, PageVisit } from '#platform/page'
import { markdown } from '../../markdown.ts'

export type OwnerVisit = PageVisit<{ readonly owner: string }>

const PROFILE = '.profile'
const README_MAX = 100_000

/** The readme of the repository `.profile`, shown above everything else. */
export async function profileReadme(visit: PageVisit, owner: string): Promise<Html | null> {
  const repo = await visit.maybe('repoGet', { owner, repo: PROFILE })
  if (repo === undefined || repo.empty || repo.private) return null
  const file = await visit.maybe('repoGetContents', { owner, repo: PROFILE, filepath: 'README.md' })
  if (file === undefined || !('content' in file) || file.content === null || file.content === undefined)
    return null
  const text = Buffer.from(file.content, 'base64').toString('utf8').slice(0, README_MAX)
  return markdown(visit, text, repo, 'markdown')
}
