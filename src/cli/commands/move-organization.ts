/** `bloomery move-in github` and `gitlab`: imports all repositories of an organization. The nodes run the imports. */
import { readFile } from 'node:fs/promises'
import { moveOrganization, PutOff } from '#domains/remotes/imports'
import { OperatorError } from '#platform/operator-error'
import { Problem } from '#platform/problem'
import { matchingOf, type PeopleOptions } from '../people-options.ts'
import { say } from '../say.ts'
import { withWorld } from '../with-world.ts'

export interface MoveOrganizationOptions extends PeopleOptions {
  readonly organization?: string
  readonly group?: string
  readonly tokenFile: string
  readonly into: string
  readonly by?: string
  readonly api?: string
  readonly dryRun: boolean
}

const TOKENS_MAX = 20

export async function moveOrganizationIn(
  file: string | undefined,
  service: 'github' | 'gitlab',
  { organization, group, tokenFile, into, dryRun, ...options }: MoveOrganizationOptions,
): Promise<void> {
  const { by = into, api = null } = options
  const matching = matchingOf(options)
  const path = (organization ?? group ?? '').replace(/^\/+|\/+$/g, '')
  const move = {
    service,
    path,
    tokens: await readTokens(tokenFile),
    api,
    into,
    by,
    isDryRun: dryRun,
    ...matching,
  }
  const counts: Record<string, number> = {}
  await withWorld(file, async (ctx) => {
    try {
      for await (const moved of moveOrganization(ctx, move)) {
        say(JSON.stringify(moved))
        counts[moved.state] = (counts[moved.state] ?? 0) + 1
      }
    } catch (error) {
      throw explain(error)
    }
    say(JSON.stringify({ [service]: path, into, ...counts }))
  })
}

async function readTokens(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new OperatorError(`${file} cannot be read`, { cause })
  })
  const tokens = text.split(/\s+/).filter((token) => token !== '')
  if (tokens.length === 0 || tokens.length > TOKENS_MAX)
    throw new OperatorError(`${file} must have 1 to ${TOKENS_MAX} tokens, one in each line`)
  return tokens
}

function explain(error: unknown): unknown {
  if (error instanceof PutOff) {
    const seconds = Math.ceil(error.waitMs / 1_000)
    return new OperatorError(
      `${error.fault?.message ?? 'the limit of the source is reached'}; run the command again in ${seconds} seconds, it goes on`,
    )
  }
  return error instanceof Problem ? new OperatorError(error.message, { cause: error }) : error
}
