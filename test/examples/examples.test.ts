/** The page of examples: its commands run in order on a fresh forge, each with the status that the page states. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { OWN_PROOFS } from '../../tools/specification-proofs.ts'
import { tryForge } from '../try-forge.ts'
import { blocksOf, describe, isSuccess, play } from './page.ts'

const PAGE = new URL('../../docs/examples.md', import.meta.url)

function patternOf(operation: string): RegExp {
  return new RegExp(`^${operation.replace(' /', ' /api/v1/').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** An empty list is no example; some lists are in a field of an object. */
function showsSomething(answer: object): boolean {
  const list = [answer, ...Object.values(answer)].find(Array.isArray)
  return list === undefined || list.length > 0
}

const page = await readFile(PAGE, 'utf8')
const blocks = blocksOf(page)

test('the page has one example for every operation of the specification', () => {
  assert.equal(blocks.length, page.match(/^```sh$/gm)?.length)
  const shown = blocks.flatMap(({ operation }) => operation ?? [])
  assert.deepEqual(shown.toSorted(), Object.keys(OWN_PROOFS).toSorted())
})

test('every command of the page returns the status that the page states', { timeout: 600_000 }, async () => {
  await using forge = await tryForge(['--ssh-port', '0'])
  assert.deepEqual([forge.admin, forge.password], ['admin', 'admin1234'])
  const { played, failed } = await play(blocks, forge.url, process.env)
  for (const block of played) {
    const { operation, status, asked, said } = block
    const told = describe(block)
    if (operation === undefined) {
      assert.ok(asked.every(isSuccess), told)
      continue
    }
    assert.equal(asked.length, 1, `${told}\n${failed}`)
    assert.match(`${asked[0]?.method} ${asked[0]?.path}`, patternOf(operation))
    assert.equal(asked[0]?.status, status, told)
    if (operation.startsWith('GET ')) assert.ok(showsSomething(JSON.parse(said)), told)
  }
  assert.equal(failed, undefined)
})
