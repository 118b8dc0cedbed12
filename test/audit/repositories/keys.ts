/** Questions about watched repositories and deploy keys. */
import type { Audit } from '../kit/audit.ts'
import { type Json, type RequestOptions, sending } from '../kit/client.ts'
import { fits, fitsAll } from '../kit/fits.ts'
import { makeKeyLine, run } from '../kit/git.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds } from '../kit/verdicts.ts'

const WATCHED = 'GET /users/{username}/subscriptions'
const LIST = 'GET /repos/{owner}/{repo}/keys'
const ADD = 'POST /repos/{owner}/{repo}/keys'

export async function askAboutSubscriptions(
  { call, demand, must, request }: Audit,
  stage: Stage,
): Promise<void> {
  const { alice, carol } = stage
  const list = (whose: string, query: string, as: string | null) =>
    call(WATCHED, 'GET', `/users/${whose}/subscriptions${query}`, { as })
  await demand(WATCHED, 'The list holds the repositories that the user watches.', async () => {
    await must(request('PUT', `/repos/${alice}/open/subscription`, { as: carol }))
    const answer = await list(carol, '', carol)
    const places = answer.json.map((it: Json) => it.full_name)
    return allOf(
      hasStatus(answer, 200),
      fitsAll('Repository', answer.json),
      equals(places, [`${alice}/open`]),
    )
  })
  await demand(WATCHED, 'Another caller sees only what the caller may access.', async () => {
    const answer = await list(alice, '?limit=50', carol)
    const arePublic = answer.json.every((it: Json) => !it.private)
    return allOf(hasStatus(answer, 200), holds(arePublic, 'a private one is shown'))
  })
  await demand(WATCHED, 'The list has pages and a count.', async () => {
    const first = await list(alice, '?limit=1&page=1', alice)
    const second = await list(alice, '?limit=1&page=2', alice)
    return allOf(
      equals(first.json.length, 1),
      holds(first.json[0].id !== second.json[0].id, 'both pages show the same'),
      holds(Number(first.headers['x-total-count']) > 1, 'X-Total-Count is too small'),
    )
  })
  await demand(WATCHED, 'An unknown user is not found.', async () => {
    const answer = await list('no-such-zz', '', alice)
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(WATCHED, 'A caller without credentials gets the list or is unauthorized.', async () => {
    const answer = await list(alice, '', null)
    return allOf(hasStatus(answer, 200, 401), hasErrorShape(answer))
  })
}

export async function askAboutDeployKeys(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand } = audit
  const { alice } = stage
  const add = (body: unknown, asking: RequestOptions = {}) =>
    call(ADD, 'POST', `/repos/${asking.at ?? `${alice}/open`}/keys`, sending(alice, asking, body))
  const line = await makeKeyLine()
  let made: Json
  await demand(ADD, 'A new deploy key is answered with every field.', async () => {
    const answer = await add({ key: line, title: 'Schlüssel 🙂', read_only: true })
    made = answer.json
    return allOf(
      hasStatus(answer, 201),
      fits('DeployKey', { token: '', ...made }),
      equals([made.title, made.read_only], ['Schlüssel 🙂', true]),
      holds(made.key.startsWith('ssh-ed25519 '), made.key),
    )
  })
  await demand(ADD, 'key_type tells an SSH key from a token, and not the algorithm.', async () =>
    equals(made.key_type, 'ssh'),
  )
  await demand(ADD, 'A key made with read_only false may write.', async () => {
    const answer = await add({ key: await makeKeyLine(), title: 'rw', read_only: false })
    return allOf(hasStatus(answer, 201), equals(answer.json.read_only, false))
  })
  await demand(ADD, 'read_only may be absent.', async () => {
    const answer = await add({ key: await makeKeyLine('rsa'), title: 'rsa' })
    return allOf(hasStatus(answer, 201), equals(typeof answer.json.read_only, 'boolean'))
  })
  await demand(ADD, 'key and title are required.', async () => {
    const key = await makeKeyLine()
    return each([{ title: 'x' }, { key }, {}, { key: '', title: 'x' }, { key, title: '' }], async (body) => {
      const answer = await add(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    })
  })
  await demand(ADD, 'A text that is no key is refused with 422.', () =>
    each(['nonsense', 'ssh-ed25519 AAAA', `ssh-rsa ${'A'.repeat(100_000)}`, '🙂'], async (key) => {
      const answer = await add({ key, title: 'b' })
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    }),
  )
  await demand(ADD, 'The same key again is refused with 422.', async () => {
    const answer = await add({ key: line, title: 'again' })
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(ADD, 'Fields of a wrong type are refused with 422.', async () => {
    const key = await makeKeyLine()
    const bodies = [{ key: 5, title: 'x' }, { key, title: 7 }, { key, title: 'q', read_only: 'yes' }, []]
    return each(bodies, async (body) => {
      const answer = await add(body)
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    })
  })
  await demand(ADD, 'An unknown and a hidden repository are not found.', async () => {
    const body = { key: await makeKeyLine(), title: 'x' }
    const unknown = await add(body, { at: `${alice}/nope` })
    const hidden = await add(body, { at: `${alice}/hidden`, as: stage.carol })
    return allOf(
      hasStatus(unknown, 404),
      hasErrorShape(unknown),
      hasStatus(hidden, 404),
      hasErrorShape(hidden),
    )
  })
  await demand(ADD, 'A caller who may not administer the repository is forbidden.', async () => {
    const answer = await add({ key: await makeKeyLine(), title: 'x' }, { as: stage.carol })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(ADD, 'A body without a key makes no token: tokens have a route of their own.', async () => {
    const answer = await add({ title: 'tok', key_type: 'token', read_only: true })
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await askAboutTokens(audit, stage)
  await askAboutLists(audit, stage, made)
}

async function askAboutTokens({ base, demand, request }: Audit, { alice }: Stage): Promise<void> {
  await demand(ADD, 'A key of the type token shows its token once and reads over HTTPS.', async () => {
    const path = `/repos/${alice}/hidden/keys`
    const made = await request('POST', `${path}/tokens`, {
      as: alice,
      body: { title: 'tok', read_only: true },
    })
    const { json: list } = await request('GET', path, { as: alice })
    const listed = list.find((it: Json) => it.key_type === 'token')
    const remote = new URL(`${base}/${alice}/hidden.git`)
    Object.assign(remote, { username: 'x', password: made.json.token })
    const { said } = await run('git', ['ls-remote', remote.href])
    return allOf(
      hasStatus(made, 201),
      holds(made.json.token, 'there is no token'),
      holds(listed && !listed.token, 'the list shows the token'),
      holds(said.includes('refs/heads/main'), said),
    )
  })
}

async function askAboutLists({ call, demand }: Audit, { alice, carol }: Stage, made: Json): Promise<void> {
  const list = (query = '', { at = `${alice}/open`, as = alice }: { at?: string; as?: string | null } = {}) =>
    call(LIST, 'GET', `/repos/${at}/keys${query}`, { as })
  const idsOf = async (query: string) => (await list(query)).json.map((it: Json) => it.id)
  await demand(LIST, 'The list holds deploy keys with every field.', async () => {
    const answer = await list()
    // The token of a key is only shown when it is created.
    const keys = answer.json.map((it: Json) => ({ token: '', ...it }))
    return allOf(hasStatus(answer, 200), fitsAll('DeployKey', keys), equals(keys.length, 3))
  })
  await demand(LIST, 'The list shows no tokens.', async () => {
    const { json } = await list('', { at: `${alice}/hidden` })
    return holds(json.length > 0 && json.every((it: Json) => !it.token), 'a token is shown')
  })
  await demand(LIST, 'key_id selects a key.', async () =>
    equals(await idsOf(`?key_id=${made.key_id}`), [made.id]),
  )
  await demand(LIST, 'fingerprint selects a key.', async () => {
    const found = await idsOf(`?fingerprint=${encodeURIComponent(made.fingerprint)}`)
    return equals([found, await idsOf('?fingerprint=zzz')], [[made.id], []])
  })
  await demand(LIST, 'The list has pages and a count.', async () => {
    const [first, second] = [await list('?limit=1&page=1'), await list('?limit=1&page=2')]
    return allOf(
      equals(first.json.length, 1),
      holds(first.json[0].id !== second.json[0].id, 'both pages show the same'),
      equals(first.headers['x-total-count'], '3'),
    )
  })
  await demand(
    LIST,
    'An unknown repository is not found, a caller without credentials is unauthorized, and a stranger is forbidden.',
    async () => {
      const unknown = await list('', { at: `${alice}/nope` })
      const nobody = await list('', { as: null })
      const stranger = await list('', { as: carol })
      return allOf(
        hasStatus(unknown, 404),
        hasStatus(nobody, 401),
        hasStatus(stranger, 403),
        ...[unknown, nobody, stranger].map(hasErrorShape),
      )
    },
  )
}
