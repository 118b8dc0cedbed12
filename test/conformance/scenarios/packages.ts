/** Packages: uploaded as generic and npm, read, listed, linked and deleted over the API. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const ann = 'packages-ann'
  for (const name of [ann, 'packages-bob']) await t.person(name)
  await t.person('packages-hidden', { visibility: 'private' })
  await t.stage(ann, 'POST', '/orgs', { username: 'packages-org' })
  await t.stage(ann, 'POST', '/orgs', { username: 'packages-veiled', visibility: 'private' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'code' })
  await t.stage(ann, 'POST', '/user/repos', { name: 'closed', private: true })
  const put = (as: string | null, path: string, data: string) =>
    t.call(
      '',
      as,
      'PUT',
      `//api/packages/${path}`,
      { raw: { type: 'application/octet-stream', data } },
      { stage: true },
    )
  const upload = (step: string, as: string | null, path: string, data: string) =>
    t.call(
      step,
      as,
      'PUT',
      `//api/packages/${path}`,
      { raw: { type: 'application/octet-stream', data } },
      { statusOnly: true },
    )
  const all = `/packages/${ann}`

  await t.call('none yet', ann, 'GET', all)
  await upload('a generic file', ann, `${ann}/generic/Tool.Box/1.0.0/tool.txt`, 'one')
  await upload('the same file again', ann, `${ann}/generic/Tool.Box/1.0.0/tool.txt`, 'one')
  await upload('a second file of the version', ann, `${ann}/generic/Tool.Box/1.0.0/more.bin`, 'two')
  await upload('a second version', ann, `${ann}/generic/Tool.Box/1.1.0-RC1/tool.txt`, 'three')
  await upload('nobody uploads', null, `${ann}/generic/Tool.Box/9.0.0/tool.txt`, 'x')
  await upload('another uploads', 'packages-bob', `${ann}/generic/Tool.Box/9.0.0/tool.txt`, 'x')
  await upload('an empty file', ann, `${ann}/generic/empty/1/empty.txt`, '')
  await upload('a name with a blank', ann, `${ann}/generic/bad%20name/1/tool.txt`, 'x')
  await t.call(
    'a file is downloaded',
    'packages-bob',
    'GET',
    `//api/packages/${ann}/generic/Tool.Box/1.0.0/tool.txt`,
  )
  await t.call(
    'a missing file',
    'packages-bob',
    'GET',
    `//api/packages/${ann}/generic/Tool.Box/1.0.0/none.txt`,
  )
  await put(ann, `packages-org/generic/shared/2.0/a.txt`, 'a')
  await put(ann, `packages-veiled/generic/inner/2.0/a.txt`, 'a')
  await put('packages-hidden', `packages-hidden/generic/own/1/a.txt`, 'a')
  const archive = gzipSync('not much of a package')
  const thing = '@packages-ann/thing'
  const published = {
    _id: thing,
    name: thing,
    description: 'A thing',
    'dist-tags': { latest: '1.2.3' },
    versions: {
      '1.2.3': {
        name: thing,
        version: '1.2.3',
        description: 'A thing',
        author: { name: 'Ann' },
        license: 'MIT',
        dist: {
          integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
          shasum: createHash('sha1').update(archive).digest('hex'),
        },
      },
    },
    _attachments: {
      [`${thing}-1.2.3.tgz`]: {
        content_type: 'application/octet-stream',
        data: archive.toString('base64'),
        length: archive.length,
      },
    },
  }
  await t.call(
    'an npm package is published',
    ann,
    'PUT',
    `//api/packages/${ann}/npm/@packages-ann%2Fthing`,
    { body: published },
    { statusOnly: true },
  )
  await t.call(
    'the same npm version again',
    ann,
    'PUT',
    `//api/packages/${ann}/npm/@packages-ann%2Fthing`,
    { body: published },
    { statusOnly: true },
  )

  const one = `${all}/generic/Tool.Box/1.0.0`
  await t.call('one version', ann, 'GET', one)
  await t.call('one version in other letters', ann, 'GET', `${all}/generic/TOOL.box/1.1.0-rc1`)
  await t.call('one version, seen by another', 'packages-bob', 'GET', one)
  await t.call('one version, seen by the site administrator', 'admin', 'GET', one)
  await t.call('one version, asked for by nobody', null, 'GET', one)
  await t.call('one npm version', 'packages-bob', 'GET', `${all}/npm/%40packages-ann%2Fthing/1.2.3`)
  await t.call(
    'one version of an organization',
    'packages-bob',
    'GET',
    '/packages/packages-org/generic/shared/2.0',
  )
  await t.call('a missing version', ann, 'GET', `${all}/generic/Tool.Box/7.7.7`)
  await t.call('a missing name', ann, 'GET', `${all}/generic/none/1.0.0`)
  await t.call('a name of another kind', ann, 'GET', `${all}/npm/Tool.Box/1.0.0`)
  await t.call('an unknown kind', ann, 'GET', `${all}/nonsense/Tool.Box/1.0.0`)
  await t.call('a missing owner', ann, 'GET', '/packages/packages-missing/generic/Tool.Box/1.0.0')
  await t.call(
    'a missing owner, asked for by nobody',
    null,
    'GET',
    '/packages/packages-missing/generic/Tool.Box/1.0.0',
  )
  await t.call(
    'a package of a hidden organization',
    'packages-bob',
    'GET',
    '/packages/packages-veiled/generic/inner/2.0',
  )
  await t.call(
    'a missing package of a hidden organization',
    'packages-bob',
    'GET',
    '/packages/packages-veiled/generic/none/2.0',
  )
  await t.call('a package of a hidden user', 'packages-bob', 'GET', '/packages/packages-hidden/generic/own/1')
  await t.call(
    'a package of a hidden user, seen by himself',
    'packages-hidden',
    'GET',
    '/packages/packages-hidden/generic/own/1',
  )
  const token = async (name: string, scopes: string[]) =>
    `token ${(await t.stage(ann, 'POST', `/users/${ann}/tokens`, { name, scopes })).body.sha1}`
  await t.call('a token with the scope', null, 'GET', one, {
    headers: { authorization: await token('package', ['read:package']) },
  })
  await t.call('a token without the scope', null, 'GET', one, {
    headers: { authorization: await token('repo', ['read:repository']) },
  })
  await t.call(
    'a token for public things and a hidden owner',
    null,
    'GET',
    '/packages/packages-veiled/generic/inner/2.0',
    { headers: { authorization: await token('public', ['public-only', 'read:package']) } },
  )

  await t.call('all versions of the owner', ann, 'GET', all, {}, { unordered: true })
  await t.call('only npm', ann, 'GET', `${all}?type=npm`)
  await t.call('an unknown kind as filter', ann, 'GET', `${all}?type=nonsense`)
  await t.call('by a part of the name', ann, 'GET', `${all}?q=tool`, {}, { unordered: true })
  await t.call('first page', ann, 'GET', `${all}?limit=1&type=npm`)
  await t.call('a page past the end', ann, 'GET', `${all}?limit=2&page=9`)
  await t.call('versions of one name', ann, 'GET', `${all}/generic/Tool.Box`, {}, { unordered: true })
  await t.call('versions of a missing name', ann, 'GET', `${all}/generic/none`)
  await t.call(
    'the latest version of a single one',
    ann,
    'GET',
    `${all}/npm/%40packages-ann%2Fthing/-/latest`,
  )
  await t.call('the latest version of a missing name', ann, 'GET', `${all}/generic/none/-/latest`)
  await t.call('all of a hidden organization', 'packages-bob', 'GET', '/packages/packages-veiled')
  await t.call('all, asked for by nobody', null, 'GET', all)
  await t.call('files of a version', 'packages-bob', 'GET', `${one}/files`, {}, { unordered: true })
  await t.call('files of a missing version', ann, 'GET', `${all}/generic/Tool.Box/7.7.7/files`)

  const link = `${all}/generic/Tool.Box/-/link`
  await t.call('another may not link', 'packages-bob', 'POST', `${link}/code`)
  await t.call('linked to a missing repository', ann, 'POST', `${link}/missing`)
  await t.call('a missing package is linked', ann, 'POST', `${all}/generic/none/-/link/code`)
  await t.call('linked', ann, 'POST', `${link}/code`)
  await t.call('linked again', ann, 'POST', `${link}/code`)
  await t.call('linked, then read', ann, 'GET', one)
  await t.call('linked, then read by another', 'packages-bob', 'GET', one)
  await t.call('unlinked', ann, 'POST', `${all}/generic/Tool.Box/-/unlink`)
  await t.call('unlinked again', ann, 'POST', `${all}/generic/Tool.Box/-/unlink`)
  await t.call('linked to a private repository', ann, 'POST', `${link}/closed`)
  await t.call('a private repository is not shown to another', 'packages-bob', 'GET', one)
  await t.call('a private repository is shown to its owner', ann, 'GET', one)

  await t.call('another may not delete', 'packages-bob', 'DELETE', one)
  await t.call('nobody may not delete', null, 'DELETE', one)
  await t.call('a version is deleted', ann, 'DELETE', one)
  await t.call('a version is deleted twice', ann, 'DELETE', one)
  await t.call('gone', ann, 'GET', one)
  await t.call('the other version is still there', ann, 'GET', `${all}/generic/Tool.Box/1.1.0-RC1`)
  await t.call('all versions of a name are deleted', ann, 'DELETE', `${all}/generic/Tool.Box`)
  await t.call('all versions of a missing name are deleted', ann, 'DELETE', `${all}/generic/Tool.Box`)
  await t.call('what is left', ann, 'GET', all, {}, { unordered: true })
}
