/** Demands on importing a repository. They use the history of `makeHistory`. */
import type { Audit } from '../kit/audit.ts'
import { type Answer, type Json, PASSWORD, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const MIGRATE = 'POST /repos/migrate'
const SERVICES = [
  'git',
  'github',
  'gitea',
  'gitlab',
  'gogs',
  'onedev',
  'gitbucket',
  'codebase',
  'codecommit',
  'forgejo',
]
const EVERYTHING = {
  auth_password: '',
  auth_token: '',
  auth_username: '',
  cloud_access_key_id: '',
  cloud_secret_access_key: '',
  description: 'd 🙂',
  lfs_endpoint: '',
  mirror_interval: '8h0m0s',
  service: 'git',
  issues: true,
  labels: true,
  lfs: false,
  milestones: true,
  mirror: false,
  private: true,
  pull_requests: true,
  releases: true,
  wiki: true,
  uid: 0,
}
const CONTENTS = {
  issues: true,
  labels: true,
  milestones: true,
  pull_requests: true,
  releases: true,
  wiki: true,
}

type Migrate = (body: object, asking?: RequestOptions) => Promise<Answer>

export async function askAboutMigration(audit: Audit, stage: Stage): Promise<void> {
  const { base, call } = audit
  const { alice } = stage
  const clone_addr = `${base}/${alice}/log.git`
  const migrate: Migrate = (body, asking = {}) =>
    call(MIGRATE, 'POST', '/repos/migrate', sending(alice, asking, { clone_addr, ...body }))
  await askAboutCode(audit, stage, migrate)
  await askAboutSources(audit, stage, migrate)
  await askAboutRefusals(audit, stage, migrate)
}

async function askAboutCode(
  { demand, request }: Audit,
  { alice, org }: Stage,
  migrate: Migrate,
): Promise<void> {
  await demand(MIGRATE, 'An imported repository is answered with every field.', async () => {
    const answer = await migrate({ repo_name: 'imp1', repo_owner: alice })
    const { name, empty, owner } = answer.json
    return allOf(
      hasStatus(answer, 201),
      fits('Repository', answer.json),
      equals([name, empty, owner.login], ['imp1', false, alice]),
    )
  })
  await demand(MIGRATE, 'The imported repository has the code of its source.', async () => {
    const { json } = await request('GET', `/repos/${alice}/imp1/commits`, { as: alice })
    return equals(json?.length, 6)
  })
  await demand(MIGRATE, 'All fields work together.', async () => {
    const answer = await migrate({ ...EVERYTHING, repo_name: 'imp2', repo_owner: org })
    const { private: isPrivate, description, owner } = answer.json
    return allOf(hasStatus(answer, 201), equals([isPrivate, description, owner?.login], [true, 'd 🙂', org]))
  })
  await demand(MIGRATE, 'mirror makes a mirror with its interval.', async () => {
    const answer = await migrate({ repo_name: 'imp3', mirror: true, mirror_interval: '12h' })
    const { mirror, mirror_interval, mirror_updated, original_url } = answer.json
    return allOf(
      hasStatus(answer, 201),
      equals(mirror, true),
      holds(/12h/.test(mirror_interval), mirror_interval),
      holds(mirror_updated, 'mirror_updated is empty'),
      holds(original_url, 'original_url is empty'),
    )
  })
  await demand(MIGRATE, 'A mirror that was imported tells when it was synchronized.', async () => {
    const { json } = await request('GET', `/repos/${alice}/imp3`, { as: alice })
    return holds(json.mirror_last_sync_at, `mirror_last_sync_at is ${json.mirror_last_sync_at}`)
  })
  await demand(MIGRATE, 'The deprecated uid still names the owner.', async () => {
    const { id } = (await request('GET', `/orgs/${org}`)).json
    const answer = await migrate({ repo_name: 'imp4', uid: id })
    return allOf(hasStatus(answer, 201), equals(answer.json.owner?.login, org))
  })
}

async function askAboutSources(audit: Audit, stage: Stage, migrate: Migrate): Promise<void> {
  const { base, demand, request, must } = audit
  const { alice, makeIssue, makeToken } = stage
  const secret = `${base}/${alice}/hidden.git`
  await demand(MIGRATE, 'A name and a password open a private source.', async () => {
    const credentials = { auth_username: alice, auth_password: PASSWORD }
    return hasStatus(await migrate({ clone_addr: secret, repo_name: 'imp5', ...credentials }), 201)
  })
  await demand(MIGRATE, 'A token opens a private source.', async () => {
    const auth_token = await makeToken(alice, ['read:repository'])
    return hasStatus(await migrate({ clone_addr: secret, repo_name: 'imp6', auth_token }), 201)
  })
  await demand(
    MIGRATE,
    'The service gitea brings issues, labels, milestones, pull requests and releases.',
    async () => {
      const log = `${alice}/log`
      const add = (what: string, body: object) =>
        must(request('POST', `/repos/${log}/${what}`, { as: alice, body }))
      await makeIssue(log, 'An issue', alice, { body: 'text' })
      await add('labels', { name: 'bug', color: '#ff0000' })
      await add('milestones', { title: 'm1' })
      await add('pulls', { title: 'p', head: 'side', base: 'main' })
      await add('releases', { tag_name: 'v1', name: 'one' })
      const answer = await migrate({ repo_name: 'imp7', service: 'gitea', ...CONTENTS })
      const list = async (what: string): Promise<Json[]> =>
        (await request('GET', `/repos/${alice}/imp7/${what}`, { as: alice })).json
      const issues = await list('issues?type=issues')
      const counts = await Promise.all(['labels', 'milestones', 'pulls', 'releases'].map(list))
      return allOf(
        hasStatus(answer, 201),
        equals(
          issues.map(({ title }) => title),
          ['An issue'],
        ),
        equals(
          counts.map((it) => it.length),
          [1, 1, 1, 1],
        ),
      )
    },
  )
  await demand(MIGRATE, 'An import that asks for LFS objects brings the code.', async () => {
    const answer = await migrate({ repo_name: 'imp8', lfs: true })
    return allOf(hasStatus(answer, 201), equals(answer.json.empty, false))
  })
  for (const service of SERVICES)
    await demand(MIGRATE, `The service ${service} is accepted.`, async () =>
      hasStatus(await migrate({ repo_name: `svc-${service}`, service }), 201),
    )
}

async function askAboutRefusals({ base, demand }: Audit, stage: Stage, migrate: Migrate): Promise<void> {
  const { bob, other } = stage
  const nowhere = `${base}/no/such.git`
  const mistakes: readonly object[] = [
    { clone_addr: undefined },
    {},
    { clone_addr: undefined, repo_name: 'v' },
    { clone_addr: 'nope', repo_name: 'v' },
    { clone_addr: 'ftp://x/y', repo_name: 'v' },
    { clone_addr: '/etc', repo_name: 'v' },
    { clone_addr: 'file:///etc', repo_name: 'v' },
    { repo_name: 'v', repo_owner: 'no-such-zz' },
    { repo_name: 'a b' },
    { clone_addr: nowhere, repo_name: 'v' },
    { repo_name: 'v', mirror: true, mirror_interval: 'zz' },
    { clone_addr: 7, repo_name: 'v' },
    { repo_name: 'v', mirror: 'yes' },
    { repo_name: 'v', uid: 'x' },
  ]
  await demand(MIGRATE, 'Imports into another’s organization or account are forbidden.', async () => {
    const organization = await migrate({ repo_name: 'x', repo_owner: other })
    const account = await migrate({ repo_name: 'x', repo_owner: bob })
    return allOf(
      hasStatus(organization, 403),
      hasStatus(account, 403),
      ...[organization, account].map(hasErrorShape),
    )
  })
  await demand(MIGRATE, 'A name that is taken is a conflict.', async () => {
    const answer = await migrate({ repo_name: 'imp1' })
    return allOf(hasStatus(answer, 409), hasErrorShape(answer))
  })
  await demand(MIGRATE, 'Missing and wrong addresses, names, owners and types are refused with 422.', () =>
    each(mistakes, async (mistake) => {
      const answer = await migrate(mistake)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(MIGRATE, 'An import that failed leaves its name free.', async () => {
    await migrate({ clone_addr: nowhere, repo_name: 'again' })
    return hasStatus(await migrate({ repo_name: 'again' }), 201)
  })
  await demand(MIGRATE, 'A caller without credentials is unauthorized.', async () => {
    const answer = await migrate({ repo_name: 'x' }, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
}
