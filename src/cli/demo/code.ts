/** More code: folders, images, a long file, releases with files, a wiki, checks, an empty repository. */
import { type SeededForge, WorkTree } from './forge.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
  'base64',
)

export interface SeededCode {
  readonly longFile: string
  readonly emptyRepository: string
  readonly wikiCommit: string
}

export async function seedMoreCode(forge: SeededForge, repository: string): Promise<SeededCode> {
  await using tree = await WorkTree.make('ann', forge.cloneUrl('ann', repository))
  await tree.git('fetch', '--quiet', 'origin', 'main')
  await tree.git('checkout', '--quiet', '-B', 'main', 'FETCH_HEAD')
  const long = Array.from(
    { length: 120 },
    (_, i) => `export const step${i} = (ore: Ore) => heat(ore, ${i} * 4) // ${'slow '.repeat(i % 40)}`,
  )
  const commit = await tree.commit('Write down every step', {
    'src/steps.ts': `${long.join('\n')}\n`,
    'tools/measure.py':
      'def measure(ore: str) -> int:\n    """How much iron is in it."""\n    return len(ore) * 7\n',
    'docs/plan.md': '# Plan\n\n| day | heat |\n|---|---|\n| 1 | 400 |\n\n[back](../README.md)\n',
    '.editorconfig': 'root = true\n\n[*]\nindent_size = 2\n',
    'bellows.sh': '#!/bin/sh\nfor i in 1 2 3; do echo "blow $i"; done\n',
  })
  await tree.writeBytes('docs/ore.png', PICTURE)
  await tree.commit('Draw the ore', {})
  await tree.git('branch', 'feature/slow-heat', commit)
  await tree.push('main', 'feature/slow-heat')
  const path = `/repos/${repository}`
  await forge.call('ann', 'PATCH', path, { website: 'https://example.test/furnace' })
  await forge.call('ann', 'PUT', `${path}/topics`, { topics: ['iron', 'bloomery', 'slow'] })
  const tip = await tree.git('rev-parse', 'HEAD')
  await forge.call('ann', 'POST', `${path}/statuses/${tip}`, { state: 'success', context: 'ci/test' })
  await seedReleases(forge, path)
  const wikiCommit = await seedWiki(forge, path)
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil', description: 'Not begun.' })
  return { longFile: 'src/steps.ts', emptyRepository: 'ann/anvil', wikiCommit }
}

async function seedReleases(forge: SeededForge, path: string): Promise<void> {
  const { id } = await forge.call('ann', 'POST', `${path}/releases`, {
    tag_name: 'v1.0',
    name: 'First iron',
    body: 'It **holds**.\n\n- heats slowly\n- cracks less\n',
  })
  await forge.upload(
    'ann',
    `${path}/releases/${id}/assets?name=furnace.tar.gz`,
    'furnace.tar.gz',
    'iron'.repeat(1_000),
  )
  await forge.call('ann', 'POST', `${path}/releases`, {
    tag_name: 'v1.1',
    target_commitish: 'main',
    name: 'Hotter',
    body: '',
    prerelease: true,
  })
  await forge.call('ann', 'POST', `${path}/releases`, {
    tag_name: 'v2.0',
    name: 'Next',
    body: 'Soon.',
    draft: true,
  })
}

async function seedWiki(forge: SeededForge, path: string): Promise<string> {
  const page = (title: string, text: string) =>
    forge.call('ann', 'POST', `${path}/wiki/new`, {
      title,
      content_base64: Buffer.from(text).toString('base64'),
    })
  await page('Home', '# Furnace\n\nHow to make iron. See [Fuel](Fuel).\n\n## Ore\n\nRed is best.\n')
  await page('Fuel', 'Charcoal, **not** coal.\n')
  const { last_commit } = await page('What went wrong?', 'It went out.\n')
  return last_commit.sha
}
