/** What the guides assume of a forge: two people with tokens, and a repository on another forge to move from. */
import { PASSWORD, SeededForge } from '../../src/cli/demo/forge.ts'
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

export async function prepare(address: TriedForge): Promise<Prepared> {
  const forge = new SeededForge(address)
  for (const login of ['ann', 'ben', 'old']) await forge.person(login)
  const tokenOf = async (login: string): Promise<string> =>
    (await forge.call(login, 'POST', `/users/${login}/tokens`, { name: 'guides', scopes: ['all'] })).sha1
  await makeOldRepository(forge)
  return {
    PASSWORD,
    TOKEN: await tokenOf('ann'),
    BEN_TOKEN: await tokenOf('ben'),
    ADMIN_TOKEN: await tokenOf(address.admin),
    OLD: address.url,
    OLD_TOKEN: await tokenOf('old'),
  }
}

/** `old/site`: private, with everything that an import copies. */
async function makeOldRepository(forge: SeededForge): Promise<void> {
  const add = (path: string, body: object) => forge.call('old', 'POST', path, body)
  await add('/user/repos', { name: 'site', auto_init: true, private: true })
  await add('/repos/old/site/labels', { name: 'bug', color: '#cc0000' })
  await add('/repos/old/site/issues', { title: 'The first issue' })
  await add('/repos/old/site/issues/1/comments', { body: 'A comment' })
  const change = { content: btoa('hello\n'), message: 'Add a page', new_branch: 'page' }
  await add('/repos/old/site/contents/page.md', change)
  await add('/repos/old/site/pulls', { title: 'Add a page', head: 'page', base: 'main' })
  await add('/repos/old/site/releases', { tag_name: 'v1.0.0', name: 'First release' })
  await add('/repos/old/site/wiki/new', { title: 'Home', content_base64: btoa('# Welcome\n') })
}
