/** Tokens, passwords and mails about them: a credential does what it was made for, once, and for its owner. */
import { Browser, type Sheet } from '../../src/testing/browser.ts'
import type { Attack } from './kit/attack.ts'
import { base64, formBytes, noise, type Person } from './kit/calls.ts'
import { happens } from './kit/faults.ts'
import type { Forge } from './kit/forge.ts'

export const credentials: readonly Attack[] = [
  {
    name: 'a-narrow-token-reads-pages',
    holds: 'a token without the scope of repositories reads no private repository by a page',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: readPagesByToken,
  },
  {
    name: 'a-narrow-token-sends-forms',
    holds: 'a token that may only read writes nothing by the form of a page',
    seconds: 60,
    on: 'disk',
    isInCi: true,
    run: sendFormsByToken,
  },
  {
    name: 'an-older-recovery-link',
    holds: 'older recovery links are void once a newer one was used',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: useOlderLink,
  },
  {
    name: 'a-recovery-link-after-a-change',
    holds: 'a recovery link is void once its owner changed password and address',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: useLinkAfterChange,
  },
  {
    name: 'a-recovery-link-used-at-once',
    holds:
      'of several clients that use a recovery link at once, the one answered with success has set the password',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: useLinkAtOnce,
  },
  {
    name: 'invitations-as-a-mail-bomb',
    holds: 'an address without an account gets no more than 5 letters by invitations of one person',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: inviteOften,
  },
  {
    name: 'whose-address-it-is',
    holds: 'failed sign-ins do not tell whose address it is',
    seconds: 90,
    on: 'disk',
    isInCi: true,
    run: findAddress,
  },
]

async function tokenOf(forge: Forge, who: Person, scopes: string[]): Promise<Record<string, string>> {
  const body = { name: forge.name('t'), scopes }
  const { json } = await forge.must(who, 'POST', `/api/v1/users/${who.name}/tokens`, body)
  return { authorization: `token ${(json as { sha1: string }).sha1}` }
}

async function readPagesByToken(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'hidden', { private: true })
  const file = `/api/v1/repos/${repository}/contents/secret.txt`
  await forge.must(ann, 'POST', file, { content: base64('TOP-SECRET'), message: 'm' })
  await forge.must(ann, 'PUT', `/api/v1/repos/${repository}/actions/secrets/KEY_OF_PROD`, { data: 'x' })
  const headers = await tokenOf(forge, ann, ['read:misc'])
  const { status } = await forge.call(undefined, 'GET', file, undefined, { headers })
  if (status !== 403) throw new Error(`the interface itself gave ${status}`)
  const seen: string[] = []
  for (const [path, mark] of [
    [`/${repository}/src/branch/main/secret.txt`, 'TOP-SECRET'],
    [`/${repository}/settings/actions/secrets`, 'KEY_OF_PROD'],
    ['/user/settings/account', `${ann.name}@example.test`],
    ['/user/settings/applications', 'read:misc'],
  ] as const) {
    const page = await forge.call(undefined, 'GET', path, undefined, {
      headers: { ...headers, accept: 'text/html' },
    })
    if (page.status === 200 && page.text.includes(mark)) seen.push(path)
  }
  return seen.length === 0
    ? undefined
    : `read:misc, which the interface refuses with 403, was shown ${seen.join(', ')}`
}

async function sendFormsByToken(forge: Forge): Promise<string | undefined> {
  const ann = await forge.user('ann')
  const repository = await forge.repository(ann, 'hidden', { private: true })
  const headers = {
    ...(await tokenOf(forge, ann, ['read:misc'])),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
  }
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(noise(32))])
  const key = `ssh-ed25519 ${blob.toString('base64')}`
  const send = async (path: string, fields: Record<string, string>) =>
    (await forge.call(undefined, 'POST', path, formBytes(fields), { headers })).status
  const seen: string[] = []
  const email = `${forge.name('evil')}@evil.example`
  if ((await send('/user/settings/account', { form: 'add', email })) === 303)
    seen.push('an address was added')
  const made = await send(`/${repository}/branches`, { form: 'new', name: 'by-token', from: 'main' })
  const branch = await forge.call(ann, 'GET', `/api/v1/repos/${repository}/branches/by-token`)
  if (branch.status === 200) seen.push(`a branch was made (${made})`)
  if ((await send('/user/settings/keys', { form: 'add-ssh', title: 'evil', key })) === 303)
    seen.push('an SSH key was added')
  const secret = { form: 'secret', name: 'EVIL', value: 'x', data: 'x' }
  if ((await send(`/${repository}/settings/actions/secrets`, secret)) === 303) seen.push('a secret was set')
  return seen.length === 0 ? undefined : `with read:misc ${seen.join(', ')}`
}

const LINK = /http:\/\/\S*recover_account\?code=([\w-]+)/
const MAIL_MS = 15_000

/** The code of the link in the next mail. */
async function askForLink(forge: Forge, name: string): Promise<string> {
  const letters = () => forge.mail.of(`${name}@example.test`)
  const before = letters().length
  await browserAt(forge).submit('/user/forgot_password', 'ask', { user_name: name })
  await happens(() => letters().length > before, MAIL_MS)
  const text =
    letters()
      [before]?.parts.map(({ content }) => content)
      .join('\n') ?? ''
  const [, code] = LINK.exec(text) ?? []
  if (code === undefined) throw new Error('no letter with a link came')
  return code
}

const browserAt = (forge: Forge) => new Browser(() => forge.base)
const useLink = (forge: Forge, code: string, password: string): Promise<Sheet> =>
  browserAt(forge).submit('/user/recover_account', 'recover', { code, password, again: password })
const isIn = async (forge: Forge, name: string, password: string) =>
  (await forge.call({ name, password }, 'GET', '/api/v1/user')).status === 200

async function signIn(forge: Forge, { name, password }: Person): Promise<Browser> {
  const browser = browserAt(forge)
  const { status } = await browser.submit('/user/login', 'sign-in', { user_name: name, password, to: '/' })
  if (status !== 303 || !browser.cookies.has('session'))
    throw new Error(`${name} could not sign in: ${status}`)
  return browser
}

async function useOlderLink(forge: Forge): Promise<string | undefined> {
  const { name } = await forge.user('bob')
  const first = await askForLink(forge, name)
  // Two minutes must pass between two mails.
  await forge.sql(
    `update sign_in_step set created_at = created_at - interval '3 minutes' where kind = 'recover'`,
  )
  const second = await askForLink(forge, name)
  if ((await useLink(forge, second, 'by-the-newer')).status !== 200) throw new Error('a link does not work')
  await useLink(forge, first, 'by-the-older')
  return (await isIn(forge, name, 'by-the-older')) ? 'the older link set the password once more' : undefined
}

async function useLinkAfterChange(forge: Forge): Promise<string | undefined> {
  const bob = await forge.user('bob')
  const code = await askForLink(forge, bob.name)
  const browser = await signIn(forge, bob)
  const changed = 'changed-by-bob'
  await browser.submit('/user/settings/account', 'password', { password: changed, again: changed })
  if (!(await isIn(forge, bob.name, changed))) throw new Error('the password was not changed')
  const facts = { login_name: bob.name, source_id: 0, email: `${forge.name('new')}@example.test` }
  await forge.must(forge.admin, 'PATCH', `/api/v1/admin/users/${bob.name}`, facts)
  await useLink(forge, code, 'by-old-mailbox')
  return (await isIn(forge, bob.name, 'by-old-mailbox'))
    ? 'a reader of the old mailbox set the password'
    : undefined
}

async function useLinkAtOnce(forge: Forge): Promise<string | undefined> {
  const words = ['pass-aaaa', 'pass-bbbb', 'pass-cccc', 'pass-dddd']
  for (let round = 0; round < 3; round++) {
    const { name } = await forge.user('bob')
    const code = await askForLink(forge, name)
    const answers = await Promise.all(words.map((it) => useLink(forge, code, it)))
    const good = words[answers.findIndex(({ status }) => status === 200)]
    for (const word of words)
      if (word !== good && (await isIn(forge, name, word)))
        return `«${good}» was answered with success, «${word}» was refused and is the password`
  }
  return undefined
}

const INVITATIONS = 25
const LETTERS_MAX = 5

async function inviteOften(forge: Forge): Promise<string | undefined> {
  const eve = await forge.user('eve')
  const org = forge.name('org')
  await forge.must(eve, 'POST', '/api/v1/orgs', { username: org })
  const units = { units: ['repo.code'], units_map: { 'repo.code': 'write' } }
  await forge.must(eve, 'POST', `/api/v1/orgs/${org}/teams`, { name: 'devs', permission: 'write', ...units })
  const browser = await signIn(forge, eve)
  const victim = `${forge.name('victim')}@example.test`
  let taken = 0
  for (let i = 0; i < INVITATIONS; i++)
    if ((await browser.submit(`/org/${org}/teams/devs`, 'invite', { email: victim })).status === 303)
      taken += 1
  if (taken === 0) throw new Error('nobody can be invited')
  await happens(() => forge.mail.of(victim).length >= taken, 10_000)
  const sent = forge.mail.of(victim).length
  return sent > LETTERS_MAX ? `${taken} invitations, ${sent} letters to one stranger` : undefined
}

/** Failures counted by account would reveal whose address it is. */
async function findAddress(forge: Forge): Promise<string | undefined> {
  const victim = await forge.user('victim')
  const other = await forge.user('other')
  await forge.must(victim, 'PATCH', '/api/v1/user/settings', { hide_email: true })
  const fail = async (name: string) =>
    (await forge.call({ name, password: 'wrong' }, 'GET', '/api/v1/user')).status
  let last = 0
  for (let i = 0; i < 40 && last !== 429; i++) last = await fail(victim.name)
  if (last !== 429) throw new Error('failures are not throttled')
  const ofVictim = await fail(`${victim.name}@example.test`)
  const ofOther = await fail(`${other.name}@example.test`)
  const ofNobody = await fail('nobody-at-all@example.test')
  const isSame = ofVictim === ofOther && ofVictim === ofNobody
  return isSame ? undefined : `the address of the victim gives ${ofVictim}, others ${ofOther} and ${ofNobody}`
}
