// Server.
import assert from 'node:assert/strict'
import { admin, anonymous, refused, test } from './kit.mjs'

await test('version: getVersion', async () => {
  const { data } = await anonymous.version.getVersion()
  assert.match(data.version, /^\d+\.\d+/)
})
await test('settings: getGeneralApiSettings', async () => {
  const { data } = await anonymous.settings.getGeneralApiSettings()
  assert.ok(data.max_response_items >= 1 && data.default_paging_num >= 1)
})
await test('settings: getGeneralRepositorySettings, Attachment, Ui', async () => {
  assert.equal(
    typeof (await anonymous.settings.getGeneralRepositorySettings()).data.mirrors_disabled,
    'boolean',
  )
  assert.equal(typeof (await anonymous.settings.getGeneralAttachmentSettings()).data.max_size, 'number')
  assert.ok(Array.isArray((await anonymous.settings.getGeneralUiSettings()).data.allowed_reactions))
})
await test('gitignore: list and one template', async () => {
  assert.ok((await anonymous.gitignore.listGitignoresTemplates()).data.includes('Go'))
  assert.ok((await anonymous.gitignore.getGitignoreTemplateInfo('Go')).data.source.length > 10)
})
await test('licenses: list and one template', async () => {
  assert.ok((await anonymous.licenses.listLicenseTemplates()).data.some((one) => one.key === 'MIT'))
  assert.match(
    (await anonymous.licenses.getLicenseTemplateInfo('MIT')).data.body,
    /Permission is hereby granted/,
  )
})
await test('label templates: list and one', async () => {
  assert.ok((await anonymous.label.listLabelTemplates()).data.includes('Default'))
  assert.ok((await anonymous.label.getLabelTemplateInfo('Default')).data.some((one) => one.name === 'bug'))
})
await test('markdown: renderMarkdown, and not without a token', async () => {
  const { data } = await admin.markdown.renderMarkdown(
    { Text: '**bold**', Mode: 'markdown' },
    { format: 'text' },
  )
  assert.match(data, /<strong>bold<\/strong>/)
  await refused(401, () => anonymous.markdown.renderMarkdown({ Text: 'x' }))
})
