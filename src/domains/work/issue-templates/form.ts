/** Validates the fields of an issue form. Pure. */
export interface IssueFormField {
  readonly type: string
  readonly id: string
  readonly attributes: Facts
  readonly validations: Facts | null
  readonly visible: string[]
}
type Facts = Record<string, unknown>

/** The type that each attribute must have; `?`: optional. */
type Rules = Readonly<Record<string, 'text' | 'text?' | 'flag?' | 'options' | 'boxes' | 'number?'>>
const ATTRIBUTES: Readonly<Record<string, Rules>> = {
  markdown: { value: 'text' },
  textarea: { label: 'text', description: 'text?', placeholder: 'text?', value: 'text?', render: 'text?' },
  input: { label: 'text', description: 'text?', placeholder: 'text?', value: 'text?' },
  dropdown: {
    label: 'text',
    description: 'text?',
    multiple: 'flag?',
    list: 'flag?',
    options: 'options',
    default: 'number?',
  },
  checkboxes: { label: 'text', description: 'text?', options: 'boxes' },
}
const VALIDATIONS: Rules = { required: 'flag?', is_number: 'flag?', regex: 'text?' }
const VISIBLE = ['form', 'content']

/** As written, with defaults filled in. */
export function readFields(body: unknown): IssueFormField[] {
  if (!Array.isArray(body)) return []
  return body.map((item: unknown, i) => {
    const field = factsOf(item) ?? {}
    const type = String(field.type ?? '')
    return {
      type,
      id: field.id === undefined ? String(i) : String(field.id),
      attributes: factsOf(field.attributes) ?? {},
      validations: factsOf(field.validations) ?? null,
      visible: visibleOf(field.visible, type),
    }
  })
}

export function isFormField({ type, id, attributes, validations, visible }: IssueFormField): boolean {
  const rules = Object.hasOwn(ATTRIBUTES, type) ? ATTRIBUTES[type] : undefined
  if (rules === undefined || !keeps(rules, attributes) || !keeps(VALIDATIONS, validations ?? {})) return false
  if (!visible.every((it) => VISIBLE.includes(it))) return false
  if (type === 'markdown') return true
  // A required field must be visible in the form.
  const isAskable = validations?.required !== true || visible.includes('form')
  return /^[\w-]+$/.test(id) && isAskable
}

/** Compat: a markdown field is shown in the form and not kept in the issue. */
function visibleOf(value: unknown, type: string): string[] {
  if (Array.isArray(value)) return value.map(String)
  return type === 'markdown' ? ['form'] : ['form', 'content']
}

function keeps(rules: Rules, facts: Facts): boolean {
  return Object.entries(rules).every(([name, rule]) => is(rule, facts[name]))
}

function is(rule: Rules[string], value: unknown): boolean {
  if (rule.endsWith('?') && value === undefined) return true
  switch (rule) {
    case 'text':
      return typeof value === 'string' && value !== ''
    case 'text?':
      return typeof value === 'string'
    case 'flag?':
      return typeof value === 'boolean'
    case 'number?':
      return typeof value === 'number'
    case 'options':
      return Array.isArray(value) && value.length > 0 && value.every((it) => typeof it === 'string')
    case 'boxes':
      return Array.isArray(value) && value.length > 0 && value.every(isBox)
  }
}

function isBox(value: unknown): boolean {
  const box = factsOf(value)
  return box !== undefined && is('text', box.label) && is('flag?', box.required)
}

function factsOf(value: unknown): Facts | undefined {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isMap ? (value as Facts) : undefined
}
