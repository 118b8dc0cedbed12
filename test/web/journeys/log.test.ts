/** Following the log of a job while it runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SimulatedRunner } from '#testing/slices/runners'
import { JourneyForge } from './forge.ts'
import { WAYS } from './hand.ts'

const journey = await JourneyForge.start()
const forge = journey.seeded

const WORKFLOW = `on: workflow_dispatch
jobs:
  ring:
    runs-on: linux
    steps:
      - name: Strike the bell
        run: make sound
`

await forge.person('ann')
await forge.call('ann', 'POST', '/user/repos', { name: 'bell', auto_init: true, default_branch: 'main' })
await forge.call('ann', 'POST', '/repos/ann/bell/contents/.gitea/workflows/ring.yml', {
  content: Buffer.from(WORKFLOW).toString('base64'),
  message: 'Ring',
})
const { token } = await forge.call('ann', 'POST', '/repos/ann/bell/actions/runners/registration-token')
const runner = await SimulatedRunner.register(forge.url, token)

for (const way of WAYS)
  test(`a job is started, its log is followed while it runs, and read when it is done, ${way}`, async () => {
    await using ann = await journey.hand(way)
    await ann.signIn('ann', forge.passwordOf('ann'))
    await ann.open('/ann/bell/actions?workflow=ring.yml')
    await ann.press('Run workflow', 'summary')
    await ann.press('Run workflow')
    const task = await runner.untilTask()
    await ann.isAt(/\/actions\/runs\/\d+$/)
    await ann.follow('ring')
    await ann.sees('No log yet.')
    await runner.log(task.id, 0, ['first stroke'])
    if (way === 'without scripts') await ann.page.reload()
    await ann.sees('first stroke')
    assert.equal(await ann.page.getByText('No log yet.').count(), 0)
    // The node that serves it dies; another one continues.
    if (way !== 'without scripts') journey.kill()
    await ann.open(new URL(ann.page.url()).pathname)
    await ann.sees('first stroke')
    await runner.log(task.id, 1, ['second stroke', '##[error]it cracked'], true)
    await runner.finish(task.id, 'RESULT_FAILURE')
    if (way === 'without scripts') await ann.page.reload()
    await ann.sees('it cracked')
    await ann.seesButton('Re-run job')
  })

test('a run is updated live, and nothing is replaced while the mouse button is held down', async () => {
  await using ann = await journey.hand('with scripts')
  await ann.signIn('ann', forge.passwordOf('ann'))
  await forge.call('ann', 'POST', '/repos/ann/bell/actions/workflows/ring.yml/dispatches', { ref: 'main' })
  const { workflow_runs } = await forge.call('ann', 'GET', '/repos/ann/bell/actions/runs?status=queued')
  // The browser does not listen yet when the run changes.
  const { promise: changed, resolve: tell } = Promise.withResolvers<void>()
  await ann.page.route(/\/-\/live/, (route) => changed.then(() => route.continue()))
  await ann.open(`/ann/bell/actions/runs/${workflow_runs[0].id}`)
  await ann.page.getByRole('img', { name: 'queued' }).first().waitFor()
  const task = await runner.untilTask()
  tell()
  await ann.page.getByRole('img', { name: 'running' }).first().waitFor()
  const link = ann.find('link', 'ring')
  await link.hover()
  await ann.page.mouse.down()
  const asked = ann.page.waitForResponse((it) => it.request().headers()['x-region'] === 'run')
  await runner.finish(task.id)
  await (await asked).finished()
  await sleep(200)
  await ann.page.mouse.up()
  await ann.isAt(/\/jobs\/\d+$/)
  await ann.page.goBack()
  await ann.seesButton('Re-run all jobs')
})
