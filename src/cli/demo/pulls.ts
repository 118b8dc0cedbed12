/** A pull request with some of everything: two versions, a review with comments and a suggestion, checks. */
import { type SeededForge, WorkTree } from './forge.ts'

const BELLOWS = `/** Keeps the fire hot. */
export interface Bellows {
  readonly litres: number
}

export const blow = ({ litres }: Bellows) => {
  const strength = 1
  return litres * strength
}
`

/** The second version rewrites the first. */
export async function seedPull(
  forge: SeededForge,
  repository: string,
): Promise<{ pull: number; pullCommit: string }> {
  await using tree = await WorkTree.make('bob', forge.cloneUrl('bob', repository))
  await tree.git('fetch', '--quiet', 'origin', 'main')
  await tree.git('checkout', '--quiet', '-b', 'bellows', 'FETCH_HEAD')
  await tree.commit('Add bellows', { 'src/bellows.ts': BELLOWS })
  await tree.push('bellows')
  const { number: pull } = await forge.call('bob', 'POST', `/repos/${repository}/pulls`, {
    title: 'Bellows, so that it stays hot',
    body: 'The fire needs **air**. Closes #1.',
    head: 'bellows',
    base: 'main',
  })
  await forge.call('ann', 'POST', `/repos/${repository}/pulls/${pull}/reviews`, {
    event: 'REQUEST_CHANGES',
    body: 'Harder, please.',
    comments: [
      {
        path: 'src/bellows.ts',
        body: 'Is one enough?\n\n```suggestion\n  const strength = 2\n```',
        new_position: 7,
      },
      { path: 'src/bellows.ts', body: 'Why litres?', new_position: 3 },
    ],
  })
  await tree.git('commit', '--quiet', '--amend', '-m', 'Add bellows that blow')
  const pullCommit = await tree.commit('Blow into the furnace', {
    'src/bellows.ts': BELLOWS.replace('return litres', 'return 10 * litres'),
    'src/main.ts': (await tree.read('src/main.ts')).replace('Slowly, or', 'Slowly and with air, or'),
    'package-lock.json': `{\n${'  "a": 1,\n'.repeat(40)}}\n`,
  })
  await tree.push('bellows')
  await forge.call('ann', 'POST', `/repos/${repository}/statuses/${pullCommit}`, {
    state: 'success',
    context: 'ci/build',
    description: 'It is hot',
    target_url: 'https://ci.example.test/1',
  })
  await forge.call('bob', 'POST', `/repos/${repository}/pulls/${pull}/requested_reviewers`, {
    reviewers: ['ann'],
  })
  await forge.call('ann', 'POST', `/repos/${repository}/issues/${pull}/comments`, {
    body: 'Better. @bob, thanks.',
  })
  return { pull, pullCommit }
}
