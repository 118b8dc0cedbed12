/** Makes an instance larger: more repositories, and issues with comments and labels in each. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Instance, insert } from './make-instance.ts'

const NOW = 1_760_000_000
const FIRST = 10_000

export async function growInstance(
  { database, folder }: Pick<Instance, 'database' | 'folder'>,
  { repositories, issues }: { readonly repositories: number; readonly issues: number },
): Promise<void> {
  const below = join(folder, 'data/repositories/ann')
  database.exec('begin')
  let next = FIRST
  for (let n = 0; n < repositories; n++) {
    const repo = FIRST + n
    const name = `many-${n}`
    await cp(join(below, 'tools.git'), join(below, `${name}.git`), { recursive: true })
    insert(database, 'repository', {
      id: repo,
      owner_id: 1,
      lower_name: name,
      name,
      default_branch: 'main',
      is_private: n % 2,
      status: 0,
      object_format_name: 'sha1',
      created_unix: NOW,
      updated_unix: NOW,
    })
    for (const type of [1, 2, 3]) insert(database, 'repo_unit', { id: repo * 4 + type, repo_id: repo, type })
    insert(database, 'label', { id: repo, repo_id: repo, org_id: 0, name: 'bug', color: '#aa0000' })
    for (let number = 1; number <= issues; number++, next++) {
      const row = { id: next, repo_id: repo, index: number, poster_id: 1, name: `Issue ${number}` }
      insert(database, 'issue', {
        ...row,
        content: 'Text.',
        is_closed: number % 2,
        is_pull: 0,
        ref: '',
        created_unix: NOW,
        updated_unix: NOW + number,
        closed_unix: NOW,
      })
      insert(database, 'issue_label', { id: next, issue_id: next, label_id: repo })
      for (const part of [0, 1])
        insert(database, 'comment', {
          id: next * 2 + part,
          type: part === 0 ? 0 : 2,
          poster_id: 2,
          issue_id: next,
          content: 'Said.',
          created_unix: NOW + number,
          updated_unix: NOW + number,
        })
    }
  }
  database.exec('commit')
}
