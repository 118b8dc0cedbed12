/** Second step of signing in: a TOTP code or a recovery code. */
import { type Account, findAccountById, proveCode, setPassword, useCode } from '#domains/people/users'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { isRecoveryCode, useRecoveryCode } from '../factors/recovery-codes.ts'
import type { Factor, StepRow } from '../tables.ts'
import type { Origin } from '../web/sessions.ts'
import { type Entered, enter } from './enter.ts'
import { endStep, findStep } from './steps.ts'

/** Why a step fails: it has expired or was used (`lost`), or the code is wrong. */
export type Refused = { readonly next: 'lost' } | { readonly next: 'wrong' }

export async function enterByCode(
  ctx: Context,
  token: string,
  code: string,
  from: Origin,
): Promise<Entered | Refused> {
  const found = await findOpenStep(ctx, token, 'second_factor')
  if (found === undefined) return { next: 'lost' }
  const { step, account } = found
  const factor = await prove(ctx, account, code, from)
  if (factor === undefined) return { next: 'wrong' }
  if (!(await endStep(ctx, step))) return { next: 'lost' }
  return enter(ctx, { account, factors: [...step.factors, factor], keeps: step.keeps }, from)
}

/** A password set by an administrator must be changed before anything else. */
export async function enterByNewPassword(
  ctx: Context,
  token: string,
  password: string,
  from: Origin,
): Promise<Entered | Refused> {
  const found = await findOpenStep(ctx, token, 'change_password')
  if (found === undefined) return { next: 'lost' }
  const { step, account } = found
  try {
    await setPassword(ctx, account, password, async (ctx) => {
      if (!(await endStep(ctx, step))) throw new StepTaken()
    })
  } catch (error) {
    if (error instanceof StepTaken) return { next: 'lost' }
    throw error
  }
  const changed = { ...account, must_change_password: false }
  return enter(ctx, { account: changed, factors: step.factors, keeps: step.keeps }, from)
}

class StepTaken extends Problem {
  constructor() {
    super('invalid', 'this step was taken already')
  }
}

async function findOpenStep(
  ctx: Context,
  token: string,
  kind: 'second_factor' | 'change_password',
): Promise<{ step: StepRow; account: Account } | undefined> {
  const step = await findStep(ctx, token, kind)
  const account = step?.account_id ? await findAccountById(ctx.db, step.account_id) : undefined
  if (account !== undefined) ctx.audit?.identify(account)
  return step && account && { step, account }
}

/** Attempts with both kinds of codes are counted together. */
async function prove(
  ctx: Context,
  account: Account,
  code: string,
  { address }: Origin,
): Promise<Factor | undefined> {
  const factor = isRecoveryCode(code) ? 'recovery' : 'totp'
  const isGood = await proveCode(
    ctx,
    account,
    async (totp) =>
      totp !== undefined &&
      (factor === 'recovery' ? useRecoveryCode(ctx, account.id, code) : useCode(ctx, totp, code)),
    address,
  )
  return isGood ? factor : undefined
}
