/** Names, paths and addresses that lead elsewhere than they seem to. */
import { Browser } from '../../src/testing/browser.ts'
import type { Attack } from './kit/attack.ts'
import { base64 } from './kit/calls.ts'
import type { Forge } from './kit/forge.ts'
import { clone, git } from './kit/git.ts'

export const names: readonly Attack[] = [
  {
    name: 'an-evil-gitmodules',
    holds: 'a file that git refuses to take is not written over REST either',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: writeEvilModules,
  },
  {
    name: 'a-redirect-by-an-old-name',
    holds: 'a redirect never leads to another host',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: redirectElsewhere,
  },
  {
    name: 'a-path-that-climbs-out',
    holds: 'no path in an archive climbs out of its folder on any system',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: writeClimbingPath,
  },
  {
    name: 'a-redirect-after-signing-in',
    holds: 'no address in redirect_to or to leads to another host',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: redirectAfterSigningIn,
  },
]

/** A submodule whose URL is an option to the cloning git: CVE-2018-17456. */
async function writeEvilModules(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'modules')
  const content = base64('[submodule "x"]\n\tpath = x\n\turl = -u./payload\n')
  const { status } = await forge.call(eve, 'POST', `/api/v1/repos/${repository}/contents/.gitmodules`, {
    content,
    message: 'm',
  })
  const strict = ['-c', 'fetch.fsckObjects=true', 'clone', '-q', forge.remote(eve, repository), '.']
  const cloned = await git(forge.folder(), strict)
  if (status < 300) return `REST ${status}; a strict clone then says: ${cloned.said.slice(0, 120)}`
  if (cloned.code !== 0) throw new Error(cloned.said)
  // Harmless content must still be accepted.
  const harmless = {
    content: base64('[submodule "x"]\n\tpath = x\n\turl = https://example.test/x\n'),
    message: 'm',
  }
  await forge.must(eve, 'POST', `/api/v1/repos/${repository}/contents/.gitmodules`, harmless)
  await clone(forge, eve, repository)
  return undefined
}

/** The account is now named like a host; its old name after two slashes would be a redirect to that host. */
async function redirectElsewhere(forge: Forge): Promise<string | undefined> {
  const old = await forge.user('old')
  const repository = await forge.repository(old, 'r')
  const host = `${forge.name('evil')}.example`
  await forge.must(forge.admin, 'POST', `/api/v1/admin/users/${old.name}/rename`, { new_username: host })
  const page = `${repository}/raw/branch/main/README.md`
  const plain = await forge.call(undefined, 'GET', `/${page}`)
  if (plain.headers.location === undefined) throw new Error(`the old name is not redirected: ${plain.status}`)
  const fetched = `${repository}.git/info/refs?service=git-upload-pack`
  for (const path of [
    `//${page}`,
    `///${page}`,
    `/\\${page}`,
    `/%2f${page}`,
    `/.//${page}`,
    `//${fetched}`,
  ]) {
    const { status, headers } = await forge.call(undefined, 'GET', path)
    const { location } = headers
    if (location === undefined) continue
    if (new URL(location, forge.base).origin !== forge.base)
      return `GET ${path} gave ${status} to ${location}`
  }
  return undefined
}

async function writeClimbingPath(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const repository = await forge.repository(eve, 'paths')
  const body = { content: base64('a'), message: 'm' }
  const { status } = await forge.call(
    eve,
    'POST',
    `/api/v1/repos/${repository}/contents/..%5C..%5Cevil.bat`,
    body,
  )
  const { bytes } = await forge.must(undefined, 'GET', `/api/v1/repos/${repository}/archive/main.zip`)
  const climbing = namesInZip(bytes).filter((name) => name.split(/[\\/]/).includes('..'))
  return climbing.length > 0 ? `written with ${status}, in the zip as ${climbing.join(', ')}` : undefined
}

/** Read from the central directory. */
function namesInZip(zip: Buffer): string[] {
  const found: string[] = []
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46))
    found.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
  if (found.length === 0) throw new Error('the archive is empty')
  return found
}

const HOSTILE = [
  '/\t/evil.example/',
  '/\t\\evil.example/',
  '\t//evil.example',
  '/\\evil.example',
  '//evil.example',
  '/\t\t/evil.example',
  '/%09/evil.example',
  '/.//evil.example',
  '/./\t/evil.example',
]

async function redirectAfterSigningIn(forge: Forge): Promise<string | undefined> {
  const { name, password } = await forge.user('ann')
  // As a browser resolves it, which removes tabs and line feeds first.
  const leaves = (location: string | null) =>
    location !== null && new URL(location, forge.base).origin !== forge.base
  for (const to of HOSTILE) {
    const browser = new Browser(() => forge.base)
    const fields = { user_name: name, password, to }
    const signedIn = await browser.submit('/user/login', 'sign-in', fields)
    if (!browser.cookies.has('session')) throw new Error(`ann could not sign in: ${signedIn.status}`)
    const again = await browser.get(`/user/login?redirect_to=${encodeURIComponent(to)}`)
    const theme = await browser.submit('/-/theme', 'theme', { theme: 'dark', to })
    for (const [what, { status, headers }] of [
      ['POST /user/login', signedIn],
      ['GET /user/login', again],
      ['POST /-/theme', theme],
    ] as const) {
      const location = headers.get('location')
      if (leaves(location))
        return `${what} to ${JSON.stringify(to)} gave ${status} to ${JSON.stringify(location)}`
    }
  }
  return undefined
}
