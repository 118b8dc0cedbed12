/** The public tester of SCIM servers, scim2-tester by scim2-cli, finds no error. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Forge, startForge } from '#testing'
import { ScimTestClient } from '#testing/slices/scim'

const CLI = `${import.meta.dirname}/../../../../.tools/scim/bin/scim`
const CHECKS_MIN = 60
/** Searches in all kinds of resources at once are optional, and not supported. */
const SKIPPED_MAX = 2

let forge: Forge
let scim: ScimTestClient
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  scim = await ScimTestClient.of(forge, 'root', 'corp')
})
after(() => forge[Symbol.asyncDispose]())

test('scim2-tester finds no error', async () => {
  const env = { ...process.env, SCIM_CLI_HEADERS: `Authorization: Bearer ${scim.token}` }
  const ran = promisify(execFile)(CLI, ['--url', `${forge.base}/scim/v2`, 'test', '--verbose'], { env })
  // Checks that are skipped make its exit code 1.
  const { stdout } = await ran.catch((error: { stdout: string }) => error)
  const statuses = stdout.match(/^(SUCCESS|ERROR|SKIPPED|CRITICAL|DEVIATION|ACCEPTABLE)\b/gm) ?? []
  const count = (status: string) => statuses.filter((it) => it === status).length
  assert.ok(count('SUCCESS') >= CHECKS_MIN, stdout)
  assert.equal(statuses.length - count('SUCCESS') - count('SKIPPED'), 0, stdout)
  assert.ok(count('SKIPPED') <= SKIPPED_MAX, stdout)
})
