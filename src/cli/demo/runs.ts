/** A failed run with a log, and a package with two versions. */
import type { SeededForge } from './forge.ts'
import { type Message, SimulatedRunner } from './runner.ts'

export interface SeededRuns {
  readonly runs: string
  readonly run: number
  readonly job: number
}

const WORKFLOW = `name: Smelt
on: [push, workflow_dispatch]
jobs:
  smelt:
    runs-on: linux
    steps:
      - name: Light the fire
        run: make fire
      - name: Add ore
        run: make iron
  weigh:
    runs-on: linux
    steps:
      - run: make weight
  cast:
    needs: smelt
    strategy:
      matrix:
        shape: [bell, anvil]
    runs-on: linux
    steps:
      - run: make mould
  polish:
    needs: [cast, weigh]
    runs-on: linux
    steps:
      - run: make shiny
`

export async function seedRuns(forge: SeededForge): Promise<SeededRuns> {
  const runs = 'ann/forge-ci'
  await forge.call('ann', 'POST', '/user/repos', {
    name: 'forge-ci',
    auto_init: true,
    default_branch: 'main',
  })
  const { token } = await forge.call('ann', 'POST', `/repos/${runs}/actions/runners/registration-token`)
  const runner = await SimulatedRunner.register(forge.url, token, { name: 'hearth' })
  await forge.call('ann', 'POST', `/repos/${runs}/contents/.gitea/workflows/smelt.yml`, {
    content: Buffer.from(WORKFLOW).toString('base64'),
    message: 'Smelt whenever something is pushed',
  })
  const task = await runner.untilTask()
  await carryOut(runner, task)
  await runner.finish((await runner.untilTask()).id)
  const { jobs } = await forge.call('ann', 'GET', `/repos/${runs}/actions/jobs`)
  const [{ id: job, run_id: run }] = jobs.filter(({ name }: Message) => name === 'smelt')
  await publish(forge)
  return { runs, run, job }
}

async function carryOut(runner: SimulatedRunner, { id }: Message): Promise<void> {
  const lines = [
    'runner hearth, version 1.0.8',
    '\u001b[1mmake fire\u001b[0m',
    ...Array.from({ length: 60 }, (_, i) => `\u001b[3${i % 8}mshovel ${i}\u001b[0m of coal`),
    '##[error]the ore is wet <script>alert(1)</script>',
  ]
  await runner.log(id, 0, lines, true)
  const at = (second: number) => `2026-01-02T03:04:${String(second).padStart(2, '0')}Z`
  const steps = [
    { id: '0', result: 'RESULT_SUCCESS', startedAt: at(1), stoppedAt: at(9), logIndex: '1', logLength: '61' },
    {
      id: '1',
      result: 'RESULT_FAILURE',
      startedAt: at(9),
      stoppedAt: at(12),
      logIndex: '62',
      logLength: '1',
    },
  ]
  await runner.report(id, { result: 'RESULT_FAILURE', steps, startedAt: at(0), stoppedAt: at(13) })
}

async function publish(forge: SeededForge): Promise<void> {
  const authorization = `Basic ${Buffer.from(`ann:${forge.passwordOf('ann')}`).toString('base64')}`
  for (const version of ['1.0.0', '1.1.0']) {
    const address = `${forge.url}/api/packages/ann/generic/tongs/${version}/tongs.bin`
    const answer = await fetch(address, {
      method: 'PUT',
      headers: { authorization },
      body: `tongs ${version}`,
    })
    if (answer.status !== 201) throw new Error(`package: ${answer.status}`)
  }
}
