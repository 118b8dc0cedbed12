/** Questions about the chapters on conventions and authentication. */
import type { Audit } from './kit/audit.ts'
import { basicOf, type Json } from './kit/client.ts'
import { fits } from './kit/fits.ts'
import type { Stage } from './kit/stage.ts'
import { allOf, equals, hasErrorShape, hasStatus, holds, isJson } from './kit/verdicts.ts'

const AUTHENTICATION = 'Authentication'
const CONVENTIONS = 'Conventions'

export async function askAboutAuthentication(
  { client, demand, request, suffix }: Audit,
  stage: Stage,
): Promise<void> {
  const { alice, makeUser } = stage
  const asUser = (authorization: string, path = '/user') =>
    request('GET', path, { as: null, headers: { authorization } })
  await demand(AUTHENTICATION, 'An administrator may act for another by a query or a header.', async () => {
    const { json: query } = await request('GET', `/user?sudo=${alice}`)
    const { json: header } = await request('GET', '/user', { headers: { sudo: alice } })
    return equals([query?.login, header?.login], [alice, alice])
  })
  await demand(AUTHENTICATION, 'A user who acts for another is forbidden.', async () => {
    const answer = await request('GET', '/user?sudo=admin', { as: alice })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  await demand(AUTHENTICATION, 'An administrator who acts for a user has the rights of the user.', async () =>
    hasStatus(await request('GET', `/admin/cron?sudo=${alice}`), 403),
  )
  await demand(AUTHENTICATION, 'The word Basic may be written in any case.', async () =>
    hasStatus(await asUser(client.basic(alice).replace('Basic', 'basic')), 200),
  )
  await demand(AUTHENTICATION, 'A wrong password is unauthorized also where anybody may read.', async () => {
    const answer = await asUser(basicOf(alice, 'nope'), `/repos/${alice}/open/commits`)
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
  await demand(AUTHENTICATION, 'A password may have colons, spaces and Unicode.', async () => {
    const [name, password] = [`uni-${suffix}`, 'pä:ss wörd🙂9']
    await makeUser(name, { password })
    return hasStatus(await asUser(basicOf(name, password)), 200)
  })
  await demand('User', 'A stranger does not see what is private.', async () => {
    const { json } = await request('GET', `/users/${alice}`, { as: null })
    return allOf(holds(!/example\.test/.test(json.email), `email is ${json.email}`), fits('User', json))
  })
}

export async function askAboutConventions(
  { base, bases, demand, request }: Audit,
  stage: Stage,
): Promise<void> {
  const { alice, carol, hidden } = stage
  const own = `/repos/search?uid=${hidden.owner.id}`
  await demand(CONVENTIONS, 'An unknown path is not found.', async () => {
    const answer = await request('GET', '/no/such/thing')
    return allOf(hasStatus(answer, 404), hasErrorShape(answer))
  })
  await demand(CONVENTIONS, 'Answers are JSON.', async () => isJson(await request('GET', '/repos/search')))
  await demand(CONVENTIONS, 'A method that a path does not have is refused with 404 or 405.', async () =>
    hasStatus(await request('PUT', `/repos/${alice}/open/keys`), 404, 405),
  )
  await demand(CONVENTIONS, 'A proxy that ends https may stand before the forge.', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
    return hasStatus(await request('GET', '/version', { headers }), 200)
  })
  await demand(CONVENTIONS, 'Addresses in answers begin with the base address.', async () => {
    const { json } = await request('GET', `/repos/${alice}/open`, { as: alice })
    return holds(
      bases.some((it) => json.url.startsWith(`${it}/api/v1/`)),
      json.url,
    )
  })
  await demand(CONVENTIONS, 'Link leads to the next page and keeps the other parameters.', async () => {
    const first = await request('GET', `${own}&limit=1`, { as: alice })
    const next = new URL(/<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? base)
    const second = await request('GET', next.pathname + next.search, { as: alice, root: true })
    const kept = ['uid', 'limit', 'page'].map((name) => next.searchParams.get(name))
    return allOf(
      hasStatus(second, 200),
      equals(kept, [String(hidden.owner.id), '1', '2']),
      holds(first.json.data[0].id !== second.json.data[0].id, 'both pages show the same'),
    )
  })
  await demand(CONVENTIONS, 'All pages together show everything once.', async () => {
    const ids: number[] = []
    let count = 0
    for (let page = 1, isOver = false; !isOver && page < 30; page++) {
      const { json, headers } = await request('GET', `${own}&exclusive=true&limit=2&page=${page}`, {
        as: alice,
      })
      ids.push(...json.data.map((it: Json) => it.id))
      count = Number(headers['x-total-count'])
      isOver = json.data.length === 0
    }
    return equals([ids.length, new Set(ids).size], [count, count])
  })
  await demand('Repository', 'permissions are those of the caller.', async () => {
    const permissionsOf = async (as: string) =>
      (await request('GET', `/repos/${alice}/open`, { as })).json.permissions
    return allOf(
      equals(await permissionsOf(alice), { admin: true, push: true, pull: true }),
      equals(await permissionsOf(carol), { admin: false, push: false, pull: true }),
    )
  })
}
