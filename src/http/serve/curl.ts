/** API calls as shell commands. User input is quoted so that it arrives unchanged. */
import { randomBytes } from 'node:crypto'
import type { Method } from '#platform/rest'

export interface Call {
  readonly method: Method
  /** Below the API root, with its query. */
  readonly path: string
  readonly body: unknown
  /** The name of a file that is sent instead of a body. */
  readonly file: string | undefined
}

/** One argument of a command may have 128 KiB; longer bodies come by standard input. */
const ARGUMENT_MAX = 100_000
/** Characters that hide or reorder their neighbours: a command must read as it runs. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/**
 * Placeholders in calls for values that are unknown yet (parts of an answer) or secret. Users cannot forge one, because
 * they do not know its random number.
 */
export class Marks {
  readonly #number = randomBytes(12).toString('hex')

  /** A shell variable. */
  variable(name: string): string {
    return `${this.#number}-${name}-`
  }

  /** A value in the answer to the call at this index. */
  answer(call: number, path: readonly string[]): string {
    return `${this.#number}-${[call, ...path].join('.')}-`
  }

  isIn(text: string): boolean {
    return text.includes(this.#number)
  }

  /** One shell word: text is in single quotes, in which nothing is special. */
  quote(text: string): string {
    const parts = text.split(new RegExp(`${this.#number}-([\\w.]+)-`))
    return parts
      .map((part, i) => {
        if (i % 2 === 1) return expand(part)
        return part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`
      })
      .join('')
  }

  /** Numbers are unquoted in JSON, also those that are not known yet. */
  unquoteNumbers(json: string): string {
    return json.replaceAll(new RegExp(`"(${this.#number}-[\\d\\w.]+\\.(?:id|number|index)-)"`, 'g'), '$1')
  }
}

function expand(mark: string): string {
  const [, call, path] = /^(\d+)(.*)$/.exec(mark) ?? []
  return call === undefined
    ? `"$${mark}"`
    : `"$(printf %s "$${answerName(Number(call))}" | jq -r '${path || '.'}')"`
}

function answerName(call: number): string {
  return `ANSWER${call + 1}`
}

export function curlOf(calls: readonly Call[], apiUrl: string, marks: Marks): string {
  const commands = calls.map((call) => commandOf(call, apiUrl, marks))
  const isAsked = (call: number) => commands.some((it) => it.includes(`"$${answerName(call)}"`))
  return commands
    .map((command, i) => (isAsked(i) ? `${answerName(i)}=$(${command}\n)` : command))
    .join('\n\n')
}

function commandOf({ method, path, body, file }: Call, apiUrl: string, marks: Marks): string {
  const words = [
    `curl -sS -X ${method} ${marks.quote(`${apiUrl}${path}`)}`,
    '-H "Authorization: token $TOKEN"',
  ]
  if (file !== undefined) words.push(`-F ${marks.quote(`attachment=@"${fileName(file)}"`)}`)
  else if (body !== undefined) words.push("-H 'Content-Type: application/json'", sent(body, marks))
  return words.join(' \\\n  ')
}

function sent(body: unknown, marks: Marks): string {
  const json = JSON.stringify(body).replaceAll(
    UNSEEN,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // The body is one line, so it cannot be mistaken for the end marker.
  if (json.length > ARGUMENT_MAX && !marks.isIn(json)) return `--data-binary @- <<'JSON'\n${json}\nJSON`
  return `-d ${marks.quote(marks.unquoteNumbers(json))}`
}

/** As `curl` reads file names after `@`: a dash alone would be standard input. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[\\"]/g, (it) => `\\${it}`)
  return plain.startsWith('-') ? `./${plain}` : plain
}
