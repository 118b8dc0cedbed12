/** Workflows: listed, disabled and enabled, and dispatched. */
import type { Stage } from '../stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const MANUAL = `name: by hand
on:
  workflow_dispatch:
    inputs:
      colour:
        description: which colour
        required: true
        default: red
        type: string
jobs:
  paint:
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ inputs.colour }}
`
const PUSH = `name: by push
on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - run: echo build
`

export async function play(t: Stage): Promise<void> {
  const [owner, writer, reader, stranger] = [
    'action-workflows-owner',
    'action-workflows-writer',
    'action-workflows-reader',
    'action-workflows-stranger',
  ]
  for (const name of [owner, writer, reader, stranger]) await t.person(name)
  await t.stage(owner, 'POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' })
  await t.stage(owner, 'POST', '/user/repos', {
    name: 'vault',
    auto_init: true,
    default_branch: 'main',
    private: true,
  })
  const repo = `/repos/${owner}/forge`
  await t.stage(owner, 'PUT', `${repo}/collaborators/${writer}`, { permission: 'write' })
  await t.stage(owner, 'PUT', `${repo}/collaborators/${reader}`, { permission: 'read' })
  const flows = `${repo}/actions/workflows`
  const call = (step: string, as: string | null, method: string, path: string, body?: unknown) =>
    t.call(step, as, method, path, body === undefined ? {} : { body })

  await call('no workflows', owner, 'GET', flows)
  await t.stage(owner, 'POST', `${repo}/contents`, {
    branch: 'main',
    message: 'workflows',
    files: [
      { operation: 'create', path: '.gitea/workflows/manual.yml', content: base64(MANUAL) },
      { operation: 'create', path: '.gitea/workflows/push.yml', content: base64(PUSH) },
    ],
  })
  await t.until(owner, `${repo}/actions/runs`, (answer) => answer.body.total_count === 1)
  await call('workflows', reader, 'GET', flows)
  await call('workflows for nobody', null, 'GET', flows)
  await call('workflows for a stranger', stranger, 'GET', flows)
  await call(
    'workflows of a hidden repository for a stranger',
    stranger,
    'GET',
    `/repos/${owner}/vault/actions/workflows`,
  )
  await call('one workflow', reader, 'GET', `${flows}/manual.yml`)
  await call('no such workflow', reader, 'GET', `${flows}/none.yml`)
  await call('runs of a workflow', reader, 'GET', `${flows}/push.yml/runs`)
  await call('runs of a workflow that never ran', reader, 'GET', `${flows}/manual.yml/runs`)

  const start = (step: string, as: string | null, body: unknown, name = 'manual.yml', query = '') =>
    call(step, as, 'POST', `${flows}/${name}/dispatches${query}`, body)
  await start('nobody may not start', null, { ref: 'main' })
  await start('a reader may not start', reader, { ref: 'main' })
  await start('no branch', writer, {})
  await start('a branch that is not there', writer, { ref: 'none' })
  await start('no such workflow to start', writer, { ref: 'main' }, 'none.yml')
  await start('a workflow that does not start by hand', writer, { ref: 'main' }, 'push.yml')
  await start('started', writer, { ref: 'main', inputs: { colour: 'blue' } })
  await t.until(owner, `${flows}/manual.yml/runs`, (answer) => answer.body.total_count === 1)
  await call('the run that was started', reader, 'GET', `${flows}/manual.yml/runs`)
  await start(
    'started by the full name of the branch, with details',
    writer,
    { ref: 'refs/heads/main', inputs: {} },
    'manual.yml',
    '?return_run_details=true',
  )
  await call('runs started by hand', reader, 'GET', `${repo}/actions/runs?event=workflow_dispatch&limit=1`)

  await call('nobody may not switch off', null, 'PUT', `${flows}/manual.yml/disable`)
  await call('a reader may not switch off', reader, 'PUT', `${flows}/manual.yml/disable`)
  await call('no such workflow to switch off', writer, 'PUT', `${flows}/none.yml/disable`)
  await call('switched off', writer, 'PUT', `${flows}/manual.yml/disable`)
  await call('switched off twice', writer, 'PUT', `${flows}/manual.yml/disable`)
  await call('a workflow that is off', reader, 'GET', `${flows}/manual.yml`)
  await start('a workflow that is off is not started', writer, { ref: 'main' })
  await call('a reader may not switch on', reader, 'PUT', `${flows}/manual.yml/enable`)
  await call('switched on', writer, 'PUT', `${flows}/manual.yml/enable`)
  await call('switched on twice', writer, 'PUT', `${flows}/manual.yml/enable`)
  await call('no such workflow to switch on', writer, 'PUT', `${flows}/none.yml/enable`)
  await call('workflows after that', reader, 'GET', flows)
}
