/** Calls of the REST interface as commands for a shell. Whatever somebody wrote arrives as they wrote it. */
import { randomBytes } from 'node:crypto'
import type { Method } from '#platform/rest'

export interface Call {
  readonly method: Method
  /** Below the root of the interface, with its query. */
  readonly path: string
  readonly body: unknown
  /** The name of a file that is sent in place of a body. */
  readonly file: string | undefined
}

/** One argument of a command may have 128 KiB; longer bodies come by standard input. */
const ARGUMENT_MAX = 100_000
/** Characters that hide or turn what stands beside them: a command must not read otherwise than it runs. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/**
 * What stands in calls for what is not known yet (an answer) or is nobody's to see (a secret). Nobody can write one, because
 * nobody knows the number in it.
 */
export class Marks {
  readonly #number = randomBytes(12).toString('hex')

  /** A variable of the shell. */
  variable(name: string): string {
    return `${this.#number}-${name}-`
  }

  /** Something in the answer to the call at this place. */
  answer(call: number, path: readonly string[]): string {
    return `${this.#number}-${[call, ...path].join('.')}-`
  }

  isIn(text: string): boolean {
    return text.includes(this.#number)
  }

  /** One word for a shell: what was written stands in single quotes, in which nothing means anything. */
  quote(text: string): string {
    const parts = text.split(new RegExp(`${this.#number}-([\\w.]+)-`))
    return parts
      .map((part, i) => {
        if (i % 2 === 1) return expand(part)
        return part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`
      })
      .join('')
  }

  /** Numbers stand without quotes in JSON, also those that are not known yet. */
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
  // It is one line, and none that could be taken for the end.
  if (json.length > ARGUMENT_MAX && !marks.isIn(json)) return `--data-binary @- <<'JSON'\n${json}\nJSON`
  return `-d ${marks.quote(marks.unquoteNumbers(json))}`
}

/** As `curl` reads names of files behind `@`: a dash alone would be standard input. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[\\"]/g, (it) => `\\${it}`)
  return plain.startsWith('-') ? `./${plain}` : plain
}
