/** The log of commands: plain lines on standard error, because a person reads them. */
import type { Config } from '#platform/config'
import { type Logger, openLog } from '#platform/log'
import { tell } from './say.ts'

interface Entry {
  readonly level: string
  readonly msg?: string
  readonly err?: { readonly message?: string }
}

/** What the forge does at `info` interests operators of nodes, not users of a command. */
export function openCommandLog(config: Config): Logger {
  const level = config['log.level'] === 'info' ? 'warn' : config['log.level']
  return openLog(level, { write: (line) => tell(describe(JSON.parse(line) as Entry)) })
}

function describe({ level, msg, err }: Entry): string {
  return [level, msg, err?.message].filter((it) => it !== undefined).join(': ')
}
