/** Decisions about the next step of a queue, case by case. The model in `test/model` covers all other states. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planNext, type Tried, type Verdict } from './plan.ts'

/** `x>y passed`: built on x as y; `x>`: git could not build it; empty: not built yet. */
function triedOf(text: string): Tried & { readonly text: string } {
  const [trial = '', verdict = 'pending'] = text.split(' ')
  const [parent = '', tested = ''] = trial.split('>')
  return { text, parent: parent || null, tested: tested || null, verdict: verdict as Verdict }
}

const CASES: readonly [entries: string[], next: string][] = [
  [[], 'wait'],
  [[''], 'build upon 0'],
  [['0>1'], 'wait'],
  [['0>1', ''], 'build upon 1'],
  [['0>1 passed', ''], 'land 0>1 passed'],
  [['0>1', '1>2 passed'], 'wait'],
  [['0>1 passed', '1>2 passed', '2>3'], 'land 0>1 passed, 1>2 passed'],
  [['0>1 failed', '1>2 passed'], 'leave 0>1 failed'],
  [['0> failed', ''], 'leave 0> failed'],
  [['0>1', '1>2 failed', '2>3 passed'], 'build upon 1'],
  [['0>1', '1>2 failed', '1>3 passed'], 'wait'],
  [['0>1', '1> failed', '1>3'], 'wait'],
  [['0>1 passed', '1>2 failed', '1>3 passed'], 'land 0>1 passed'],
  [['x>1 passed', '1>2 passed'], 'build upon 0'],
  [['0>1 passed', 'x>2 passed'], 'land 0>1 passed'],
]

for (const [entries, expected] of CASES)
  test(`[${entries.join(', ')}]: ${expected}`, () => {
    const next = planNext('0', entries.map(triedOf))
    const said = {
      wait: () => '',
      build: () => (next.kind === 'build' ? ` upon ${next.parent}` : ''),
      land: () => (next.kind === 'land' ? ` ${next.entries.map(({ text }) => text).join(', ')}` : ''),
      leave: () => (next.kind === 'leave' ? ` ${next.entry.text}` : ''),
    }
    assert.equal(next.kind + said[next.kind](), expected)
  })
