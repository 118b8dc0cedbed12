/** Following the log of a job while it runs. */
import { test } from 'node:test'
import { SimulatedRunner } from '../../../src/domains/runners/testing.ts'
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
    await runner.log(task.id, 0, ['first stroke'])
    if (way === 'without scripts') await ann.page.reload()
    await ann.sees('first stroke')
    // The node that shows it dies; another one goes on.
    if (way !== 'without scripts') journey.kill()
    await ann.open(new URL(ann.page.url()).pathname)
    await ann.sees('first stroke')
    await runner.log(task.id, 1, ['second stroke', '##[error]it cracked'], true)
    await runner.finish(task.id, 'RESULT_FAILURE')
    if (way === 'without scripts') await ann.page.reload()
    await ann.sees('it cracked')
    await ann.page.getByRole('link', { name: 'Download log' }).waitFor()
  })
