/**
 * The token with which a job stores and reads artifacts. It is a JWT, because GitHub's clients read the ids of run
 * and job from it; authorization relies on the job token in it, which is revoked when the task ends.
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

/** The job token in it; undefined if the signature is not ours. Does not check whether the job still runs. */
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
