/** Server information, templates, and rendered texts. */
import assert from 'node:assert/strict'
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  await t.person('misc-ann')
  await t.stage('misc-ann', 'POST', '/user/repos', { name: 'anvil', auto_init: true })
  await t.stage('misc-ann', 'POST', '/repos/misc-ann/anvil/issues', { title: 'One' })

  const version = await t.call('version', null, 'GET', '/version', {}, { ignore: ['version'] })
  const [major = 0, minor = 0] = String(version.body.version).split('.').map(Number)
  assert.ok(major > 1 || (major === 1 && minor >= 27), `version ${version.body.version} is below 1.27`)
  await t.call('version, with HEAD', null, 'HEAD', '/version')
  await t.call('settings of the interface', null, 'GET', '/settings/api')
  await t.call(
    'settings of attachments',
    null,
    'GET',
    '/settings/attachment',
    {},
    { ignore: ['allowed_types'] },
  )
  await t.call('settings of repositories', null, 'GET', '/settings/repository')
  await t.call(
    'settings of the pages',
    null,
    'GET',
    '/settings/ui',
    {},
    { ignore: ['custom_emojis', 'default_theme'] },
  )
  await t.call('settings of nothing known', null, 'GET', '/settings/nothing', {}, { statusOnly: true })
  await t.call('the public signing key', null, 'GET', '/signing-key.gpg', {}, { statusOnly: true })
  await t.call('the public SSH signing key', null, 'GET', '/signing-key.pub', {}, { statusOnly: true })
  await t.call('node information is off', null, 'GET', '/nodeinfo', {}, { statusOnly: true })

  const names = (body: unknown) => assert.ok(Array.isArray(body) && body.length > 3, 'a list of names')
  const ignores = await t.stage(null, 'GET', '/gitignore/templates')
  names(ignores.body)
  for (const name of ['Go', 'Node', 'Python', 'Rust'])
    assert.ok(ignores.body.includes(name), `no gitignore for ${name}`)
  await t.call(
    'what git should ignore in Go',
    null,
    'GET',
    '/gitignore/templates/Go',
    {},
    { ignore: ['source'] },
  )
  await t.call('what git should ignore in nothing known', null, 'GET', '/gitignore/templates/MiscNone')
  const licenses = await t.stage(null, 'GET', '/licenses')
  assert.ok(
    licenses.body.some(
      (license: { key: string; name: string; url: string }) =>
        license.key === 'MIT' && license.name === 'MIT' && license.url.endsWith('/licenses/MIT'),
    ),
    'no MIT license',
  )
  await t.call('a license', null, 'GET', '/licenses/MIT', {}, { ignore: ['body', 'implementation'] })
  await t.call('a license nobody knows', null, 'GET', '/licenses/MiscNone')
  await t.call('label sets', null, 'GET', '/label/templates')
  await t.call('a label set', null, 'GET', '/label/templates/Default', {}, { ignore: ['description'] })
  await t.call('a label set nobody knows', null, 'GET', '/label/templates/MiscNone')
  await t.call('no templates for a wrong password', null, 'GET', '/licenses', {
    headers: { authorization: `Basic ${Buffer.from('misc-ann:wrong').toString('base64')}` },
  })

  // The reference guesses the type of the answer from its first characters.
  const sniffed = { ignore: ['content-type'] }
  const render = (step: string, body: object, expectation: object = {}, as: string | null = 'misc-ann') =>
    t.call(`markdown: ${step}`, as, 'POST', '/markdown', { body }, expectation)
  await render('a paragraph', { Text: 'A *quiet* and **loud** `code`.', Mode: 'markdown' })
  await render('a list', { Text: '- one\n- two\n', Mode: 'markdown' }, sniffed)
  await render('a heading', { Text: '# Title\n', Mode: 'markdown' }, { statusOnly: true })
  await render('a link', { Text: '[there](https://example.test/)', Mode: 'markdown' }, { statusOnly: true })
  await render('a dangerous one', { Text: '<script>alert(1)</script>ok', Mode: 'markdown' }, sniffed)
  await render(
    'an image with a handler',
    { Text: '<img src="x" onerror="alert(1)">', Mode: 'markdown' },
    { statusOnly: true },
  )
  await render(
    'a comment with a reference to an issue',
    { Text: 'see #1', Mode: 'comment', Context: 'misc-ann/anvil' },
    { statusOnly: true },
  )
  await render('a comment with line breaks', { Text: 'one\ntwo', Mode: 'comment', Context: 'misc-ann/anvil' })
  await render('a document with line breaks', { Text: 'one\ntwo', Mode: 'markdown' })
  await render('github flavour', { Text: 'one\ntwo', Mode: 'gfm' })
  await render('no text', { Mode: 'markdown' })
  await render('an unknown mode', { Text: 'a', Mode: 'poem' })
  await render('a wiki', { Text: 'a', Mode: 'markdown', Wiki: true, Context: 'misc-ann/anvil' })
  await render('nobody', { Text: 'a', Mode: 'markdown' }, {}, null)
  await t.call('markdown: no body', 'misc-ann', 'POST', '/markdown')
  await t.call('raw markdown', 'misc-ann', 'POST', '/markdown/raw', {
    raw: { type: 'text/plain', data: 'A **loud** text' },
  })
  await t.call('raw markdown, empty', 'misc-ann', 'POST', '/markdown/raw', {
    raw: { type: 'text/plain', data: '' },
  })
  const markup = (step: string, body: object, expectation: object = {}) =>
    t.call(`markup: ${step}`, 'misc-ann', 'POST', '/markup', { body }, expectation)
  await t.call('raw markdown, nobody', null, 'POST', '/markdown/raw', {
    raw: { type: 'text/plain', data: 'a' },
  })
  await t.call('markup: nobody', null, 'POST', '/markup', { body: { Text: 'a', Mode: 'comment' } })
  await markup('a comment', { Text: 'a **b**', Mode: 'comment', Context: 'misc-ann/anvil' })
  await markup('a file of markdown', {
    Text: 'a **b**',
    Mode: 'file',
    FilePath: 'a.md',
    Context: 'misc-ann/anvil/src/branch/main',
  })
  await markup('a file of an unknown kind', {
    Text: 'a',
    Mode: 'file',
    FilePath: 'a.unknown',
    Context: 'misc-ann/anvil',
  })
  await markup('an unknown mode', { Text: 'a', Mode: 'poem' })

  await t.call('an unknown path', null, 'GET', '/misc/nothing', {}, { statusOnly: true })
  await t.call('a wrong method', null, 'POST', '/version', {}, { statusOnly: true })
  assert.equal((await t.stage(null, 'GET', '//swagger.v1.json')).body.swagger, '2.0')
}
