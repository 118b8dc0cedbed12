/** Helpers for tests of reviews: repositories with pull requests. */
import type { Forge } from '../forge.ts'

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Commits files to a branch, which is created from main if missing. */
export async function commit(
  forge: Forge,
  as: string,
  repo: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const isThere = (await forge.call(as, 'GET', `${repo}/branches/${branch}`)).status === 200
  const entries = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const ref = isThere ? branch : 'main'
      const now = await forge.call(as, 'GET', `${repo}/contents/${path}?ref=${ref}`)
      const content = base64(text)
      return now.status === 200
        ? { operation: 'update', path, content, sha: now.body.sha }
        : { operation: 'create', path, content }
    }),
  )
  const where = isThere ? { branch } : { branch: 'main', new_branch: branch }
  const { status, body } = await forge.call(as, 'POST', `${repo}/contents`, { files: entries, ...where })
  if (status !== 201) throw new Error(`cannot commit to ${branch}: ${status} ${JSON.stringify(body)}`)
}

/** Opens a pull request from a new branch that adds a file; returns its number. */
export async function pullFrom(
  forge: Forge,
  as: string,
  repo: string,
  branch: string,
  more: { readonly files?: Readonly<Record<string, string>>; readonly options?: object } = {},
): Promise<number> {
  await commit(forge, as, repo, branch, more.files ?? { [`${branch}.md`]: 'one\ntwo\nthree\n' })
  const options = { title: branch, head: branch, base: 'main', ...more.options }
  const { status, body } = await forge.call(as, 'POST', `${repo}/pulls`, options)
  if (status !== 201) throw new Error(`cannot open a pull request: ${status} ${JSON.stringify(body)}`)
  return body.number
}
