/** Templates for issues: from a file to a record, or to nothing if it is not valid. Pure, and for `thread.ts`. */
import { parseYaml } from '#platform/yaml'
import { type IssueFormField, isFormField, readFields } from './form.ts'

export interface IssueTemplate {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly labels: string[]
  readonly assignees: string[]
  /** As written: the name of a branch or a full ref. */
  readonly ref: string
  /** The text of the issue; empty for a form. */
  readonly content: string
  readonly body: IssueFormField[]
  readonly file_name: string
}

const ABOUT_MAX = 80
const ALIASES_MAX = 20
/** Of the record: what an alias stands for is written out in it, as often as it is named. */
const RECORD_LENGTH_MAX = 256 * 1024
const FRONT = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/

export function readTemplate(path: string, text: string): IssueTemplate | undefined {
  const template = path.endsWith('.md') ? readMarkdown(path, text) : readForm(path, text)
  if (!template?.name.trim() || !template.about.trim()) return undefined
  return JSON.stringify(template).length > RECORD_LENGTH_MAX ? undefined : template
}

/** Words about it stand before the text, between two lines. Without them, it is named after its file. */
function readMarkdown(path: string, text: string): IssueTemplate {
  const front = FRONT.exec(text)
  const facts = front === null ? undefined : readMap(front[1] ?? '')
  if (facts !== undefined)
    return { ...factsOf(facts), content: text.slice(front?.[0].length), body: [], file_name: path }
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { ...factsOf({ name, about: text.slice(0, ABOUT_MAX) }), content: text, body: [], file_name: path }
}

function readForm(path: string, text: string): IssueTemplate | undefined {
  const facts = readMap(text)
  const fields = facts === undefined ? [] : readFields(facts.body)
  if (facts === undefined || fields.length === 0 || !fields.every(isFormField)) return undefined
  const ids = fields.filter(({ type }) => type !== 'markdown').map(({ id }) => id)
  if (new Set(ids).size < ids.length) return undefined
  return { ...factsOf(facts), content: '', body: fields, file_name: path }
}

function factsOf(facts: Record<string, unknown>) {
  return {
    name: textOf(facts.name),
    title: textOf(facts.title),
    about: textOf(facts.about) || textOf(facts.description),
    labels: namesOf(facts.labels),
    assignees: namesOf(facts.assignees),
    ref: textOf(facts.ref),
  }
}

/** undefined for a text that is not a map of names to values. */
export function readMap(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseYaml(text, ALIASES_MAX)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isMap ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** A list, or names with commas between them. */
function namesOf(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
