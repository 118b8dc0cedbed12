/** Templates for issues, and the ways in which commits and texts refer to issues. */
import type { Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const MARKDOWN = `---
name: fault
about: something is broken
title: "[fault] "
labels: [fault]
assignees: [issue-templates-owner]
ref: main
---
What happened?
`
const FORM = `name: wish
description: something is missing
title: "[wish] "
labels: [wish]
body:
  - type: markdown
    attributes:
      value: Thank you
  - type: input
    id: what
    attributes:
      label: What
      placeholder: a word
    validations:
      required: true
  - type: dropdown
    id: where
    attributes:
      label: Where
      options: [here, there]
`
const CONFIG = `blank_issues_enabled: false
contact_links:
  - name: talk
    url: https://example.test/talk
    about: ask first
`

export async function play(t: Stage): Promise<void> {
  const [owner, reader] = ['issue-templates-owner', 'issue-templates-reader']
  for (const name of [owner, reader]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  await t.stage(owner, 'POST', '/user/repos', { name: 'yard', auto_init: true, default_branch: 'main' })
  const repo = `/repos/${owner}/forge`
  const call = (step: string, as: string | null, method: string, path: string, body?: unknown) =>
    t.call(step, as, method, path, body === undefined ? {} : { body })
  await call('no templates', null, 'GET', `${repo}/issue_templates`)
  await call('no configuration', null, 'GET', `${repo}/issue_config`)
  await call('no configuration is a valid one', null, 'GET', `${repo}/issue_config/validate`)
  const file = (path: string, text: string, message = `add ${path}`, where = repo, branch = 'main') =>
    t.stage(owner, 'POST', `${where}/contents/${path}`, { content: base64(text), branch, message })
  await file('.gitea/ISSUE_TEMPLATE/fault.md', MARKDOWN)
  await file('.gitea/ISSUE_TEMPLATE/wish.yaml', FORM)
  await file('.gitea/ISSUE_TEMPLATE/config.yaml', CONFIG)
  await call('templates', null, 'GET', `${repo}/issue_templates`)
  await call('a configuration', null, 'GET', `${repo}/issue_config`)
  await call('a valid configuration', null, 'GET', `${repo}/issue_config/validate`)

  const issue = async (title: string, body = '', where = repo): Promise<number> =>
    (await t.stage(owner, 'POST', `${where}/issues`, { title, body })).body.number
  const one = await issue('one')
  const two = await issue('two')
  const closed = (number: number, state = 'closed') =>
    t.until(owner, `${repo}/issues/${number}`, (answer) => answer.body.state === state)
  await file('a.md', 'a\n', `see #${two}\n\nfixes #${one}`)
  await closed(one)
  await call('a commit closed it', null, 'GET', `${repo}/issues/${one}`)
  await call('the commit in its timeline', null, 'GET', `${repo}/issues/${one}/timeline`)
  await file('b.md', 'b\n', `reopens #${one}`)
  await closed(one, 'open')
  await call('a commit opened it again', null, 'GET', `${repo}/issues/${one}`)
  await t.stage(owner, 'POST', `${repo}/contents/c.md`, {
    content: base64('c\n'),
    branch: 'main',
    new_branch: 'topic',
    message: 'c',
  })
  const pull = (
    await t.stage(owner, 'POST', `${repo}/pulls`, {
      title: 'a pull',
      body: `closes #${two}`,
      head: 'topic',
      base: 'main',
    })
  ).body.number
  await t.until(owner, `${repo}/pulls/${pull}`, (answer) => answer.body.mergeable === true)
  await t.stage(owner, 'POST', `${repo}/pulls/${pull}/merge`, { Do: 'merge' })
  await closed(two)
  await call('a merge closed it', null, 'GET', `${repo}/issues/${two}`)
  await call('the pull request in its timeline', null, 'GET', `${repo}/issues/${two}/timeline`)
  await issue('from the yard', `see ${owner}/forge#${one}`, `/repos/${owner}/yard`)
  await t.until(owner, `${repo}/issues/${one}/timeline`, (answer) =>
    answer.body.some((entry: { type: string }) => entry.type === 'issue_ref'),
  )
  await call('a reference from another repository', null, 'GET', `${repo}/issues/${one}/timeline`)
}
