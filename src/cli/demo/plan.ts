/** Issues with everything around them, boards of each kind, templates, and an inbox. */
import { type SeededForge, WorkTree } from './forge.ts'

export interface SeededPlan {
  /** Boards of the repository, of the organization and of ann. */
  readonly board: number
  readonly orgBoard: number
  readonly ownBoard: number
  /** With a template and a form for issues. */
  readonly templated: string
}

const FORM = `name: Something is broken
description: Tell us what happened
labels: [bug]
body:
  - type: markdown
    attributes:
      value: "Thank you for **telling** us."
  - type: input
    id: where
    attributes:
      label: Where
      description: Which furnace?
    validations:
      required: true
  - type: dropdown
    id: ore
    attributes:
      label: Which ore
      options: [magnetite, hematite]
  - type: checkboxes
    id: tried
    attributes:
      label: What did you try
      options:
        - label: More coal
        - label: Less ore
  - type: textarea
    id: log
    attributes:
      label: Log
      render: text
`

export async function seedPlan(forge: SeededForge, repository: string, issue: number): Promise<SeededPlan> {
  const path = `/repos/${repository}`
  await seedTalk(forge, path, issue)
  const board = await seedBoard(forge, `${path}`, 'Next melt')
  const issues = await forge.call('ann', 'GET', `${path}/issues?type=issues&limit=20`)
  const columns: { id: number }[] = await forge.call('ann', 'GET', `${path}/projects/${board}/columns`)
  for (const [i, it] of issues.entries())
    await forge.call(
      'ann',
      'POST',
      `${path}/projects/${board}/columns/${columns[i % columns.length]?.id}/issues/${it.id}`,
    )
  return {
    board,
    orgBoard: await seedBoard(forge, '/orgs/smithy', 'All furnaces'),
    ownBoard: await seedBoard(forge, '/user', 'My own'),
    templated: await seedTemplates(forge),
  }
}

async function seedBoard(forge: SeededForge, root: string, title: string): Promise<number> {
  const { id } = await forge.call('ann', 'POST', `${root}/projects`, {
    title,
    description: 'What is done, and by whom.',
    template_type: 'basic_kanban',
  })
  return id
}

async function seedTalk(forge: SeededForge, path: string, issue: number): Promise<void> {
  const at = `${path}/issues/${issue}`
  const titles = [
    'Clean the chimney',
    'Write down who has which night',
    'Order bricks',
    'Is magnetite better?',
    'The door squeaks',
  ]
  const labels = [
    ['help wanted', '#0e8a16'],
    ['question', '#d876e3'],
    ['kind/smoke', '#5319e7'],
  ]
  const ids: number[] = []
  for (const [name, color] of labels)
    ids.push((await forge.call('ann', 'POST', `${path}/labels`, { name, color })).id)
  for (const [i, title] of titles.entries())
    await forge.call('ann', 'POST', `${path}/issues`, {
      title,
      body: 'Before winter.',
      labels: [ids[i % ids.length]],
      ...(i % 2 === 0 && { assignees: ['bob'] }),
    })
  await forge.call('bob', 'PATCH', at, {
    body: 'Nobody adds coal between two and four.\n\n- [x] ask everybody\n- [ ] make a list\n\n@ann, could we take turns?',
  })
  await forge.call('ann', 'PATCH', at, {
    title: 'The furnace goes out every night',
    due_date: '2027-02-01T00:00:00Z',
  })
  await forge.call('ann', 'POST', `${at}/labels`, { labels: [ids[0]] })
  await forge.call('ann', 'POST', `${at}/labels`, { labels: [ids[1]] })
  const said = await forge.call('bob', 'POST', `${at}/comments`, {
    body: 'Then I take Tuesdays.\n\n```ts\nconst night = 2\n```',
  })
  await forge.call('ann', 'POST', `${path}/issues/comments/${said.id}/reactions`, { content: '+1' })
  await forge.call('bob', 'POST', `${at}/reactions`, { content: 'heart' })
  await forge.call('ann', 'POST', `${at}/comments`, { body: '@bob thank you. See #2.' })
  await forge.call('ann', 'PATCH', `${path}/issues/comments/${said.id}`, {
    body: 'Then I take Tuesdays and Thursdays.\n\n```ts\nconst night = 2\n```',
  })
  await forge.call('ann', 'POST', `${at}/pin`)
}

async function seedTemplates(forge: SeededForge): Promise<string> {
  await forge.call('ann', 'POST', '/user/repos', { name: 'bricks' })
  await using tree = await WorkTree.make('ann', forge.cloneUrl('ann', 'ann/bricks'))
  await tree.commit('Forms', {
    '.gitea/ISSUE_TEMPLATE/broken.yaml': FORM,
    '.gitea/ISSUE_TEMPLATE/wish.md':
      '---\nname: A wish\nabout: Something that would be nice\n---\n\nI wish for …\n',
  })
  await tree.push('main')
  return 'ann/bricks'
}
