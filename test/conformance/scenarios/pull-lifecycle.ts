/** Pull requests whose branches or repositories change. */
import type { Expectation, Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export async function play(t: Stage): Promise<void> {
  const [owner, author] = ['pull-lifecycle-owner', 'pull-lifecycle-author']
  for (const name of [owner, author]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  const repo = `/repos/${owner}/forge`
  const fork = `/repos/${author}/forge`
  await t.stage(author, 'POST', `${repo}/forks`, {})
  const call = (
    step: string,
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    expectation: Expectation = {},
  ) => t.call(step, as, method, path, body === undefined ? {} : { body }, expectation)
  const commit = (as: string, where: string, path: string, branch: string, from?: string) =>
    t.stage(as, 'POST', `${where}/contents/${path}`, {
      content: base64(`${path}\n`),
      message: `add ${path}`,
      ...(from ? { branch: from, new_branch: branch } : { branch }),
    })
  const state = (number: number, holds: (body: any) => boolean) =>
    t.until(owner, `${repo}/pulls/${number}`, (answer) => holds(answer.body))
  const pull = async (head: string, base = 'main'): Promise<number> => {
    await commit(author, fork, `${head}.md`, head, 'main')
    const number = (
      await t.stage(author, 'POST', `${repo}/pulls`, { title: head, head: `${author}:${head}`, base })
    ).body.number
    await state(number, (body) => body.mergeable === true)
    return number
  }
  const read = (step: string, number: number, as: string | null = null, ignore: string[] = []) =>
    call(step, as, 'GET', `${repo}/pulls/${number}`, undefined, { ignore })

  const grown = await pull('grown')
  await commit(author, fork, 'grown-more.md', 'grown')
  await state(grown, (body) => body.changed_files === 2 && body.mergeable === true)
  await read('after another commit', grown, null, ['mergeable'])
  await t.until(owner, `${repo}/issues/${grown}/timeline`, (answer) => answer.body.length === 2)
  await call('both pushes in the timeline', null, 'GET', `${repo}/issues/${grown}/timeline`)

  const cut = await pull('cut')
  await t.stage(author, 'DELETE', `${fork}/branches/cut`)
  await state(cut, (body) => body.state === 'closed')
  await read('after its branch was deleted', cut, null, ['mergeable'])
  await call('as an issue, after its branch was deleted', null, 'GET', `${repo}/issues/${cut}`)
  await call('the timeline after its branch was deleted', null, 'GET', `${repo}/issues/${cut}/timeline`)

  await t.stage(owner, 'POST', `${repo}/branches`, { new_branch_name: 'stable', old_branch_name: 'main' })
  const moved = await pull('moved', 'stable')
  await t.stage(owner, 'DELETE', `${repo}/branches/stable`)
  await state(moved, (body) => body.base.ref === 'main' && body.mergeable === true)
  await read('after its base was deleted it points to the default branch', moved)

  await call(
    'a draft by another prefix',
    author,
    'PATCH',
    `${repo}/pulls/${moved}`,
    { title: '[wip] moved' },
    { ignore: ['mergeable'] },
  )
  await call(
    'no draft any more',
    author,
    'PATCH',
    `${repo}/pulls/${moved}`,
    { title: 'moved' },
    { ignore: ['mergeable'] },
  )
  await state(moved, (body) => body.mergeable === true)
  await call('merged', owner, 'POST', `${repo}/pulls/${moved}/merge`, {
    Do: 'merge',
    MergeTitleField: 'merged',
    MergeMessageField: 'the moved one',
  })
  await call(
    'the merge commit',
    null,
    'GET',
    `${repo}/commits?limit=1&stat=false&verification=false&files=false`,
  )
  await call('comments after the merge', author, 'POST', `${repo}/issues/${moved}/comments`, {
    body: 'thanks',
  })

  const orphan = await pull('orphan')
  await t.stage(author, 'DELETE', fork)
  await state(orphan, (body) => body.head.repo === null)
  await read('after the fork was deleted', orphan, null, ['mergeable'])
  await call('its files are still there', null, 'GET', `${repo}/pulls/${orphan}/files`)
  await call(
    'its commits are still there',
    null,
    'GET',
    `${repo}/pulls/${orphan}/commits?stat=false&verification=false`,
  )
  await call('a list with all of them', null, 'GET', `${repo}/pulls?state=all&limit=2`, undefined, {
    ignore: ['mergeable'],
  })
  await call('the repository counts its open pull requests', null, 'GET', repo)
}
