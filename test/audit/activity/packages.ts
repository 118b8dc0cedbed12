/** Questions about reading a package. */
import { createHash } from 'node:crypto'
import type { Audit } from '../kit/audit.ts'
import { signIn } from '../kit/browser.ts'
import type { Answer, RequestOptions } from '../kit/client.ts'
import { fits } from '../kit/fits.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, each, equals, hasErrorShape, hasStatus, holds, isJson } from '../kit/verdicts.ts'

const READ = 'GET /packages/{owner}/{type}/{name}/{version}'
const OCTETS = { 'content-type': 'application/octet-stream' }
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

type Read = (path: string, asking?: RequestOptions) => Promise<Answer>

/** Publishes a file of a generic package. */
async function publish({ request, must }: Audit, as: string, path: string): Promise<void> {
  const file = `/api/packages/${as}/generic/${path}`
  await must(request('PUT', file, { as, root: true, raw: 'hello', headers: OCTETS }))
}

export async function askAboutPackages(audit: Audit, stage: Stage): Promise<void> {
  const { call } = audit
  const { alice } = stage
  const read: Read = (path, asking = {}) => call(READ, 'GET', `/packages/${path}`, { as: alice, ...asking })
  await publish(audit, alice, 'tool/1.0/f.bin')
  await askAboutRecord(audit, stage, read)
  await askAboutKinds(audit, stage, read)
  await askAboutAccess(audit, stage, read)
}

async function askAboutRecord(audit: Audit, { alice }: Stage, read: Read): Promise<void> {
  const { base, demand, request } = audit
  await demand(READ, 'A package is answered with every field.', async () => {
    const answer = await read(`${alice}/generic/tool/1.0`)
    const { type, name, version, owner, creator } = answer.json
    return allOf(
      hasStatus(answer, 200),
      isJson(answer),
      fits('Package', answer.json),
      equals([type, name, version, owner.login, creator.login], ['generic', 'tool', '1.0', alice, alice]),
    )
  })
  await demand(READ, 'html_url leads a browser that is signed in to a page.', async () => {
    const { json } = await read(`${alice}/generic/tool/1.0`)
    const headers = { cookie: await signIn(base, alice), accept: 'text/html' }
    const page = await request('GET', new URL(json.html_url).pathname, { as: null, root: true, headers })
    return allOf(hasStatus(page, 200), holds(page.text.includes('tool'), 'the page is of another package'))
  })
  await demand(READ, 'repository is the one that the package is linked to.', async () => {
    const linked = await request('POST', `/packages/${alice}/generic/tool/-/link/open`, { as: alice })
    const { json } = await read(`${alice}/generic/tool/1.0`)
    return allOf(holds(linked.status < 300, linked.line), fits('Repository', json.repository))
  })
}

async function askAboutKinds(audit: Audit, { alice }: Stage, read: Read): Promise<void> {
  const { demand, request } = audit
  const put = (path: string, asking: RequestOptions) =>
    request('PUT', path, { as: alice, root: true, ...asking })
  await demand(READ, 'A package of the kind npm is found.', async () => {
    const name = `@${alice}/thing`
    const path = `/api/packages/${alice}/npm/${encodeURIComponent(name)}`
    const published = await put(path, { body: npmPackage(name) })
    const answer = await read(`${alice}/npm/${encodeURIComponent(name)}/1.0.0`)
    return allOf(
      holds(published.status < 300, published.line),
      hasStatus(answer, 200),
      fits('Package', answer.json),
      equals([answer.json.type, answer.json.name], ['npm', name]),
    )
  })
  await demand(READ, 'An image that docker pushed is found as the kinds docker and container.', async () => {
    const config =
      '{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]},"config":{}}'
    const layer = 'layer'
    for (const raw of [config, layer]) {
      const path = `/v2/${alice}/img/blobs/uploads/?digest=${digestOf(raw)}`
      await request('POST', path, { as: alice, root: true, raw, headers: OCTETS })
    }
    const headers = { 'content-type': MANIFEST }
    const pushed = await put(`/v2/${alice}/img/manifests/v1`, { raw: manifestOf(config, layer), headers })
    return allOf(
      hasStatus(pushed, 201),
      await each(['docker', 'container'], async (kind) =>
        hasStatus(await read(`${alice}/${kind}/img/v1`), 200),
      ),
    )
  })
  await demand(READ, 'A package of the kind maven is found.', async () => {
    const path = `/api/packages/${alice}/maven/com/x/y/1.0/y-1.0.jar`
    const published = await put(path, { raw: 'x', headers: OCTETS })
    const answer = await read(`${alice}/maven/com.x:y/1.0`)
    return allOf(holds(published.status < 300, published.line), hasStatus(answer, 200))
  })
}

async function askAboutAccess(audit: Audit, { alice, dave }: Stage, read: Read): Promise<void> {
  const { demand, request, must } = audit
  await demand(READ, 'Unknown names, versions, kinds and owners are not found.', () => {
    const unknown = [`${alice}/generic/tool/9.9`, `${alice}/generic/nope/1.0`, `${alice}/zzz/tool/1.0`]
    return each([...unknown, 'no-such-zz/generic/tool/1.0'], async (path) => {
      const answer = await read(path)
      return allOf(hasStatus(answer, 404), hasErrorShape(answer))
    })
  })
  await demand(READ, 'A name is found in any case.', async () =>
    hasStatus(await read(`${alice}/generic/TOOL/1.0`), 200),
  )
  await demand(READ, 'A caller without credentials is unauthorized.', async () => {
    const answer = await read(`${alice}/generic/tool/1.0`, { as: null })
    return allOf(hasStatus(answer, 401), hasErrorShape(answer))
  })
  await demand(READ, 'A package of a private user is hidden from others.', async () => {
    const body = { visibility: 'private', login_name: dave, source_id: 0 }
    await must(request('PATCH', `/admin/users/${dave}`, { body }))
    await publish(audit, dave, 't/1/f')
    const answer = await read(`${dave}/generic/t/1`)
    return allOf(hasStatus(answer, 403, 404), hasErrorShape(answer))
  })
  await demand(READ, 'Names and versions may have dots and plus signs.', async () => {
    await publish(audit, alice, 'a.b-c_d+e/1.0%2Bx/f')
    return hasStatus(await read(`${alice}/generic/${encodeURIComponent('a.b-c_d+e')}/1.0%2Bx`), 200)
  })
}

function npmPackage(name: string): object {
  const data = Buffer.from('a package of npm')
  const hashOf = (algorithm: string) => createHash(algorithm).update(data)
  const integrity = `sha512-${hashOf('sha512').digest('base64')}`
  const dist = { shasum: hashOf('sha1').digest('hex'), integrity }
  const attachment = {
    content_type: 'application/octet-stream',
    data: data.toString('base64'),
    length: data.length,
  }
  return {
    _id: name,
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name, version: '1.0.0', dist } },
    _attachments: { 'thing-1.0.0.tgz': attachment },
  }
}

function manifestOf(config: string, layer: string): string {
  const part = (mediaType: string, content: string) => ({
    mediaType,
    size: content.length,
    digest: digestOf(content),
  })
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: part('application/vnd.docker.container.image.v1+json', config),
    layers: [part('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)],
  })
}

function digestOf(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`
}
