/** What the guides assume of a forge: two people with tokens, and a repository on another forge to move from. */
import type { TriedForge } from '../try-forge.ts'

/** The environment of the guides' commands. */
export interface Prepared extends Readonly<Record<string, string>> {
  /** Of ann. */
  readonly PASSWORD: string
  readonly TOKEN: string
  /** Of ben, who reviews and contributes. */
  readonly BEN_TOKEN: string
  /** Of a site administrator. */
  readonly ADMIN_TOKEN: string
  /** The forge to move from, which is the same one here, and a token of it. */
  readonly OLD: string
  readonly OLD_TOKEN: string
}

const PASSWORD = 'forge-12345'

export async function prepare({ url, admin, password }: TriedForge): Promise<Prepared> {
  const call = callerOf(url)
  const asAdmin = basic(admin, password)
  for (const username of ['ann', 'ben', 'old']) {
    const email = `${username}@example.test`
    await call(asAdmin, '/admin/users', { username, email, password: PASSWORD, must_change_password: false })
  }
  const tokenOf = async (login: string, credentials: string) => {
    const { sha1 = '' } = await call(credentials, `/users/${login}/tokens`, {
      name: 'guides',
      scopes: ['all'],
    })
    return sha1
  }
  const OLD_TOKEN = await tokenOf('old', basic('old', PASSWORD))
  await makeOldRepository((path, body) => call(`token ${OLD_TOKEN}`, path, body))
  return {
    PASSWORD,
    TOKEN: await tokenOf('ann', basic('ann', PASSWORD)),
    BEN_TOKEN: await tokenOf('ben', basic('ben', PASSWORD)),
    ADMIN_TOKEN: await tokenOf(admin, asAdmin),
    OLD: url,
    OLD_TOKEN,
  }
}

type Answer = Readonly<Record<string, string>>

/** `old/site`: private, with all that an import brings. */
async function makeOldRepository(call: (path: string, body: object) => Promise<Answer>): Promise<void> {
  await call('/user/repos', { name: 'site', auto_init: true, private: true })
  await call('/repos/old/site/labels', { name: 'bug', color: '#cc0000' })
  await call('/repos/old/site/issues', { title: 'The first issue' })
  await call('/repos/old/site/issues/1/comments', { body: 'A comment' })
  const change = { content: btoa('hello\n'), message: 'Add a page', new_branch: 'page' }
  await call('/repos/old/site/contents/page.md', change)
  await call('/repos/old/site/pulls', { title: 'Add a page', head: 'page', base: 'main' })
  await call('/repos/old/site/releases', { tag_name: 'v1.0.0', name: 'First release' })
  await call('/repos/old/site/wiki/new', { title: 'Home', content_base64: btoa('# Welcome\n') })
}

function basic(login: string, password: string): string {
  return `Basic ${btoa(`${login}:${password}`)}`
}

function callerOf(url: string) {
  return async (authorization: string, path: string, body: object): Promise<Answer> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    if (!answer.ok) throw new Error(`POST ${path} ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
}
