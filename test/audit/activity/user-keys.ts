/** Questions about adding a public key to the caller. */
import type { Audit } from '../kit/audit.ts'
import { basicOf, type RequestOptions, sending } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import { makeKeyLine, run, SshKey } from '../kit/git.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const ADD = 'POST /user/keys'

export async function askAboutUserKeys(audit: Audit, stage: Stage): Promise<void> {
  const { call, demand, must, request } = audit
  const { alice, bob, makeToken } = stage
  const add = (body: unknown, asking: RequestOptions = {}) =>
    call(ADD, 'POST', '/user/keys', sending(alice, asking, body))
  const line = await makeKeyLine()
  await demand(ADD, 'A new key is answered with every field.', async () => {
    const answer = await add({ key: line, title: 'Schlüssel 🙂', read_only: true })
    const { title, user } = answer.json
    return allOf(
      hasStatus(answer, 201),
      isJson(answer),
      fits('PublicKey', answer.json),
      equals([title, user?.login], ['Schlüssel 🙂', alice]),
    )
  })
  await demand(ADD, 'read_only is kept.', async () => {
    const { json } = await add({ key: await makeKeyLine(), title: 'ro', read_only: true })
    return equals(json.read_only, true)
  })
  await demand(ADD, 'updated_at is there before the first use.', async () => {
    const { json } = await add({ key: await makeKeyLine(), title: 'up' })
    return holds('updated_at' in json, 'updated_at is missing')
  })
  await demand(ADD, 'A key without a title is taken or refused with 422.', async () => {
    const answer = await add({ key: await makeKeyLine() })
    return allOf(hasStatus(answer, 201, 422), hasErrorShape(answer))
  })
  await demand(ADD, 'A missing, broken or repeated key and wrong types are refused with 422.', () => {
    const again = JSON.stringify({ key: line, title: 'again' })
    const broken = [
      '{"key":"zzz","title":"x"}',
      '{"key":"ssh-ed25519 AAAA","title":"x"}',
      '{"key":5,"title":"x"}',
    ]
    return each(['{}', '{"title":"x"}', again, ...broken, '[]', '{', ''], async (raw) => {
      const answer = await add(null, { raw })
      return allOf(hasStatus(answer, 422), hasErrorShape(answer))
    })
  })
  await demand(ADD, 'Missing, wrong and broken credentials are unauthorized.', async () => {
    const wrong = [basicOf(alice, 'wrong'), basicOf('no-such-zz', 'x'), 'Basic !!!', 'Basic']
    const asked = [{}, ...wrong.map((authorization) => ({ authorization }))]
    return each(asked, async (headers) => {
      const answer = await add({ key: line, title: 'x' }, { as: null, headers })
      return allOf(hasStatus(answer, 401), hasErrorShape(answer))
    })
  })
  await demand(ADD, 'A token that may only read is forbidden.', async () => {
    const token = await makeToken(alice, ['read:user'])
    const answer = await add({ key: await makeKeyLine(), title: 'x' }, { as: `token:${token}` })
    return allOf(hasStatus(answer, 403), hasErrorShape(answer))
  })
  for (const type of ['ed25519', 'ecdsa', 'rsa'])
    await demand(ADD, `A key of the type ${type} is taken.`, async () => {
      const answer = await add({ key: await makeKeyLine(type), title: type })
      const isSha256 = answer.json.fingerprint?.startsWith('SHA256:')
      return allOf(hasStatus(answer, 201), holds(isSha256, `the fingerprint is ${answer.json.fingerprint}`))
    })
  await demand(ADD, 'The key of another user is refused with 422.', async () => {
    const answer = await add({ key: line, title: 'stolen' }, { as: bob })
    return allOf(hasStatus(answer, 422), hasErrorShape(answer))
  })
  await demand(ADD, 'The key opens a private repository to git over SSH.', async () => {
    using key = await SshKey.make()
    await must(add({ key: key.line, title: 'live' }))
    const { json } = await request('GET', `/repos/${alice}/hidden`, { as: alice })
    const { said } = await run('git', ['ls-remote', json.ssh_url], key.environment)
    return holds(said.includes('refs/heads/main'), said)
  })
}
