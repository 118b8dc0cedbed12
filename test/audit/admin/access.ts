/** Who may call the admin operations. */
import type { Audit } from '../kit/audit.ts'
import type { Stage } from '../kit/stage.ts'
import { allOf, hasErrorShape, hasStatus } from '../kit/verdicts.ts'

/** Each operation with an example path. */
const OPERATIONS: readonly (readonly [operation: string, path: string])[] = [
  ['GET /admin/actions/jobs', '/admin/actions/jobs'],
  ['GET /admin/actions/runners', '/admin/actions/runners'],
  ['POST /admin/actions/runners/registration-token', '/admin/actions/runners/registration-token'],
  ['GET /admin/actions/runners/{runner_id}', '/admin/actions/runners/1'],
  ['DELETE /admin/actions/runners/{runner_id}', '/admin/actions/runners/999999'],
  ['PATCH /admin/actions/runners/{runner_id}', '/admin/actions/runners/1'],
  ['GET /admin/actions/runs', '/admin/actions/runs'],
  ['GET /admin/cron', '/admin/cron'],
  ['POST /admin/cron/{task}', '/admin/cron/nothing'],
  ['GET /admin/emails', '/admin/emails'],
  ['GET /admin/emails/search', '/admin/emails/search'],
  ['GET /admin/hooks', '/admin/hooks'],
  ['POST /admin/hooks', '/admin/hooks'],
]

export async function askAboutAdministrators({ call, demand }: Audit, { bob }: Stage): Promise<void> {
  for (const [operation, path] of OPERATIONS) {
    const [method = ''] = operation.split(' ')
    await demand(operation, 'A caller without credentials is unauthorized.', async () => {
      const answer = await call(operation, method, path, { as: null })
      return allOf(hasStatus(answer, 401), hasErrorShape(answer))
    })
    await demand(operation, 'A caller who is no administrator is forbidden.', async () => {
      const answer = await call(operation, method, path, { as: bob })
      return allOf(hasStatus(answer, 403), hasErrorShape(answer))
    })
  }
}
