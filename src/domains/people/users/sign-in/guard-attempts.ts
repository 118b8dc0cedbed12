/** Sign-in attempts whose password another system verifies are counted and limited like those of the forge. */
import type { Context } from '#platform/context'
import { logFailedSignIn } from '#platform/log'
import { countFailure, forgetFailures, openGate, type Tried } from './throttle.ts'

export async function guardAttempts<T>(
  ctx: Context,
  tried: Tried,
  prove: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { isKnown } = await openGate(ctx, tried)
  const proven = await prove()
  if (proven === undefined) {
    await countFailure(ctx, tried, { isKnown, wasCode: false })
    logFailedSignIn(ctx.log, { address: tried.address, by: 'password', login: undefined })
    return undefined
  }
  // Checked again: among concurrent guesses, a right one after too many wrong ones is refused.
  await openGate(ctx, tried)
  await forgetFailures(ctx, tried)
  return proven
}
