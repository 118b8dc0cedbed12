/**
 * The token with which a job stores and reads artifacts. Clients of GitHub look into it for the numbers of run and job, so
 * it has the form of a JSON Web Token; what it is worth is the token of the job inside, which ends with the task.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

const HEADER = encode({ alg: 'HS256', typ: 'JWT' })
const TOKEN_LENGTH_MAX = 2_000

export interface RuntimeFacts {
  readonly run_id: number
  readonly job_id: number
  readonly task_id: number
}

export function runtimeToken(token: string, { run_id, job_id, task_id }: RuntimeFacts): string {
  const claims = {
    scp: `Actions.Results:${run_id}:${job_id}`,
    TaskID: task_id,
    RunID: run_id,
    JobID: job_id,
    jti: token,
  }
  const signed = `${HEADER}.${encode(claims)}`
  return `${signed}.${sign(signed, token)}`
}

/** The token of the job in it; undefined for what was not made by us. It says nothing about whether the job still runs. */
export function jobTokenIn(text: string): string | undefined {
  if (text.length > TOKEN_LENGTH_MAX) return undefined
  const [header = '', claims = '', signature = ''] = text.split('.')
  try {
    const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { jti?: unknown }
    if (typeof jti !== 'string') return undefined
    const expected = Buffer.from(sign(`${header}.${claims}`, jti))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected) ? jti : undefined
  } catch {
    return undefined
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function sign(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
