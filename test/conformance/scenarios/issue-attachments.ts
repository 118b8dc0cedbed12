/** Files attached to issues and comments. */
import type { Stage } from '../stage.ts'

export async function play(t: Stage): Promise<void> {
  const [owner, author, stranger] = [
    'issue-attachments-owner',
    'issue-attachments-author',
    'issue-attachments-stranger',
  ]
  for (const name of [owner, author, stranger]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge' })
  const repo = `/repos/${owner}/forge`
  const n = (await t.stage(author, 'POST', `${repo}/issues`, { title: 'with files' })).body.number
  const comment = (await t.stage(author, 'POST', `${repo}/issues/${n}/comments`, { body: 'with files' })).body
    .id
  const form = (name: string, text: string) => {
    const data = new FormData()
    data.append('attachment', new Blob([text], { type: 'text/plain' }), name)
    return { raw: { type: 'multipart/form-data', data } }
  }
  for (const [what, path] of [
    ['issue', `${repo}/issues/${n}/assets`],
    ['comment', `${repo}/issues/comments/${comment}/assets`],
  ] as const) {
    const say = (text: string) => `${what}: ${text}`
    const as = what === 'issue' ? author : owner
    await t.call(say('no files'), null, 'GET', path)
    await t.call(say('nobody may not attach'), null, 'POST', path, form('note.txt', 'text'))
    await t.call(say('a stranger may not attach'), stranger, 'POST', path, form('note.txt', 'text'))
    await t.call(say('a kind that is not allowed'), as, 'POST', path, form('note.exe', 'text'))
    const id = (await t.call(say('attached'), as, 'POST', path, form('note.txt', 'text'))).body.id
    await t.call(
      say('attached under another name'),
      as,
      'POST',
      `${path}?name=other.txt`,
      form('note.txt', 'more text'),
    )
    await t.call(say('files'), null, 'GET', path)
    await t.call(say('one file'), null, 'GET', `${path}/${id}`)
    await t.call(say('no such file'), null, 'GET', `${path}/987654`)
    await t.call(say('a stranger may not rename'), stranger, 'PATCH', `${path}/${id}`, {
      body: { name: 'x.txt' },
    })
    await t.call(say('renamed'), as, 'PATCH', `${path}/${id}`, { body: { name: 'renamed.txt' } })
    await t.call(say('renamed to a kind that is not allowed'), as, 'PATCH', `${path}/${id}`, {
      body: { name: 'renamed.exe' },
    })
    await t.call(say('a stranger may not delete'), stranger, 'DELETE', `${path}/${id}`)
    await t.call(say('deleted'), as, 'DELETE', `${path}/${id}`)
    await t.call(say('deleted twice'), as, 'DELETE', `${path}/${id}`)
  }
  await t.call(
    'who wrote the comment, but cannot write, may not attach',
    author,
    'POST',
    `${repo}/issues/comments/${comment}/assets`,
    form('note.txt', 'text'),
  )
  await t.call('the issue names its files', null, 'GET', `${repo}/issues/${n}`)
  await t.call('the comment names its files', null, 'GET', `${repo}/issues/${n}/comments`)
  await t.stage(owner, 'PATCH', repo, { archived: true })
  await t.call(
    'an archived repository',
    author,
    'POST',
    `${repo}/issues/${n}/assets`,
    form('note.txt', 'text'),
  )
}
