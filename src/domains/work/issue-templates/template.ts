/** Parses an issue template; undefined if invalid. Pure; runs in `thread.ts`. */
import { parseYaml } from '#platform/yaml'
import { type IssueFormField, isFormField, readFields } from './form.ts'

export interface IssueTemplate {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly labels: string[]
  readonly assignees: string[]
  /** As written: a branch name or a full ref. */
  readonly ref: string
  /** The body of the issue; empty for a form. */
  readonly content: string
  readonly body: IssueFormField[]
  readonly file_name: string
}

const ABOUT_MAX = 80
const ALIASES_MAX = 20
/** Of the parsed record, in which every use of a YAML alias is expanded. */
const RECORD_LENGTH_MAX = 256 * 1024
const FRONT = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/

export function readTemplate(path: string, text: string): IssueTemplate | undefined {
  const template = path.endsWith('.md') ? readMarkdown(path, text) : readForm(path, text)
  if (!template?.name.trim() || !template.about.trim()) return undefined
  return JSON.stringify(template).length > RECORD_LENGTH_MAX ? undefined : template
}

/** Reads the YAML front matter. Without it, the template is named after its file. */
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

/** undefined if the text is not a YAML map. */
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

/** A list, or a comma-separated string. */
function namesOf(value: unknown): string[] {
  const names = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}
