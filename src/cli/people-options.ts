/** The options with which commands say whom people of a source are here. */
import { type Command, Option } from 'commander'
import { OperatorError } from '#platform/operator-error'

export interface PeopleOptions {
  readonly people: 'none' | 'by-login'
  /** `old=new`, logins of people. */
  readonly as: readonly string[]
}

const PAIRS_MAX = 1_000

export function addPeopleOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--people <how>', 'whether people with the same login are the same people')
        .choices(['none', 'by-login'])
        .default('none'),
    )
    .option(
      '--as <old=new>',
      'the person with the first login is the one with the second here; may be repeated',
      collect,
      [],
    )
}

export function matchingOf({ people, as }: PeopleOptions) {
  if (as.length > PAIRS_MAX) throw new OperatorError(`--as can be given ${PAIRS_MAX} times`)
  return { isByLogin: people === 'by-login', renamed: new Map(as.map(readPair)) }
}

function readPair(pair: string): readonly [string, string] {
  const [old = '', login = '', ...more] = pair.split('=')
  if (old === '' || login === '' || more.length > 0)
    throw new OperatorError(`--as ${pair}: must be OLD=NEW, two logins`)
  return [old, login]
}

/** For options that may be repeated. */
export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text]
}
