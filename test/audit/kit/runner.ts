/** A runner of the whole instance, registered with the token from the specification's own operation. */
import { SimulatedRunner } from '#testing/slices/runners'
import type { Audit } from './audit.ts'

export type { SimulatedRunner }

export async function registerRunner(
  { base, must, request }: Audit,
  name: string,
  labels: string[],
  capabilities: readonly string[] = [],
): Promise<SimulatedRunner> {
  const { token } = await must(request('POST', '/admin/actions/runners/registration-token'))
  const runner = await SimulatedRunner.register(base, token, { name, labels })
  await runner.call('Declare', { version: 'v1.0.8', labels, capabilities })
  return runner
}
