/** Keys, hooks, secrets and whatever else settings pages show. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededForge } from '../../../src/cli/demo/forge.ts'

/** Data for addresses of settings pages. */
export interface Own {
  readonly importId: number
  /** The number of a pull request with a conflict. */
  readonly conflict: number
  /** A webhook in each scope, with a delivery. */
  readonly hooks: Readonly<Record<HookScope, Hook>>
  /** Id of an authentication source of each type. */
  readonly sources: { readonly oidc: number; readonly ldap: number }
}

type HookScope = 'user' | 'org' | 'repo' | 'admin'

interface Hook {
  readonly id: number
  readonly delivery: number
}

export async function seedOwn(forge: SeededForge, repository: string): Promise<Own> {
  await seedSettings(forge, repository)
  const conflict = await seedConflict(forge, repository)
  return {
    importId: await seedImport(forge),
    conflict,
    hooks: await seedHooks(forge, repository),
    sources: await seedSources(forge),
  }
}

/** Two branches that add the same file. */
async function seedConflict(forge: SeededForge, repository: string): Promise<number> {
  const repo = `/repos/${repository}`
  for (const branch of ['flux-lime', 'flux-sand'])
    await forge.call('ann', 'POST', `${repo}/contents/docs/flux.md`, {
      content: Buffer.from(`# Flux\n\nUse ${branch.slice(5)}.\n`).toString('base64'),
      branch: 'main',
      new_branch: branch,
    })
  const wanted = { title: 'Use lime', head: 'flux-lime', base: 'flux-sand' }
  return (await forge.call('ann', 'POST', `${repo}/pulls`, wanted)).number
}

const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMUTxnVoBbIkjYPoVAO8tmGqLc8xQxeculWuIuMmmfHo ann@anvil'
const DEPLOY_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINQVYsdKwH/RNzvLTNKKlvkPZvFAWJbKmF3XhmzbpnFc machine'

async function seedSettings(forge: SeededForge, repository: string): Promise<void> {
  const repo = `/repos/${repository}`
  await forge.call('ann', 'POST', '/user/keys', { title: 'anvil', key: SSH_KEY })
  await forge.call('ann', 'POST', '/users/ann/tokens', { name: 'deploy', scopes: ['write:repository'] })
  await forge.call('ann', 'POST', '/user/applications/oauth2', {
    name: 'bellows',
    redirect_uris: ['https://example.test/back'],
    confidential_client: true,
  })
  await forge.call('ann', 'POST', `${repo}/branch_protections`, {
    rule_name: 'release/*',
    required_approvals: 2,
    enable_status_check: true,
    status_check_contexts: ['ci/test'],
  })
  await forge.call('ann', 'POST', `${repo}/tag_protections`, {
    name_pattern: 'v*',
    whitelist_usernames: ['ann'],
  })
  await forge.call('ann', 'POST', `${repo}/keys`, { title: 'machine', key: DEPLOY_KEY, read_only: true })
  for (const place of ['/user', '/orgs/smithy', repo]) {
    await forge.call('ann', 'PUT', `${place}/actions/secrets/COAL`, { data: 'black' })
    await forge.call('ann', 'POST', `${place}/actions/variables/HEAT`, { value: '1200' })
  }
  await forge.call('ann', 'POST', '/orgs/smithy/labels', { name: 'hot', color: '#b4532a' })
  await forge.call('ann', 'PUT', '/user/blocks/carol')
  await forge.call('ann', 'PUT', '/orgs/smithy/blocks/carol')
  await forge.call('ann', 'POST', '/orgs/smithy/service_accounts', { username: 'smithy-ci' })
}

const PATIENCE_MS = 30_000

/** They get an issue event, which no receiver accepts. */
/** Their servers do not answer. */
async function seedSources(forge: SeededForge): Promise<Own['sources']> {
  const add = (body: object) => forge.call(forge.admin, 'POST', '/admin/auths', body)
  const oidc = { issuer: 'https://127.0.0.1:9', client_id: 'forge' }
  const ldap = { host: 'localhost', base_dn: 'dc=company,dc=test', user_filter: '(uid=%s)' }
  return {
    oidc: (await add({ name: 'provider', oidc })).id,
    ldap: (await add({ name: 'directory', ldap })).id,
  }
}

async function seedHooks(forge: SeededForge, repository: string): Promise<Own['hooks']> {
  const places: Record<HookScope, [who: string, path: string]> = {
    user: ['ann', '/user/hooks'],
    org: ['ann', '/orgs/smithy/hooks'],
    repo: ['ann', `/repos/${repository}/hooks`],
    admin: [forge.admin, '/admin/hooks'],
  }
  const config = { url: 'http://127.0.0.1:9/hook', content_type: 'json', is_system_webhook: 'true' }
  const hook = { type: 'gitea', active: true, events: ['issues'], config }
  const ids = new Map<string, number>()
  for (const [scope, [who, path]] of Object.entries(places))
    ids.set(scope, (await forge.call(who, 'POST', path, hook)).id)
  for (const place of [repository, 'smithy/anvil'])
    await forge.call('ann', 'POST', `/repos/${place}/issues`, { title: 'Sweep the floor' })
  const hooks: Partial<Record<HookScope, Hook>> = {}
  for (const [scope, [who, path]] of Object.entries(places)) {
    const id = ids.get(scope) ?? 0
    hooks[scope as HookScope] = { id, delivery: await firstDelivery(forge, who, `${path}/${id}`) }
  }
  return hooks as Own['hooks']
}

async function firstDelivery(forge: SeededForge, who: string, hook: string): Promise<number> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(100)) {
    const [first] = await forge.call(who, 'GET', `${hook}/deliveries`)
    if (first !== undefined) return first.id
  }
  throw new Error(`${hook} is told nothing`)
}

/** An import that fails, because its source does not answer. */
async function seedImport(forge: SeededForge): Promise<number> {
  const { name, value } = await forge.signIn('ann')
  const answer = await fetch(`${forge.url}/repo/migrate`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', cookie: `${name}=${value}` },
    body: new URLSearchParams({
      form: 'migrate',
      clone_addr: 'https://nowhere.invalid/ore.git',
      repo_name: 'ore',
      owner: 'ann',
    }),
  })
  const id = /\/repo\/migrate\/(\d+)$/.exec(answer.headers.get('location') ?? '')?.[1]
  if (id === undefined) throw new Error(`the import was refused: ${answer.status}`)
  return Number(id)
}
