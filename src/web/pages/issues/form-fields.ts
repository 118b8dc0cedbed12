/** Issue forms from a file of the repository: rendered as fields, and written as the text of the issue. */
import { type Fields, type Html, html, type PageVisit } from '#platform/page'
import { invalid } from '#platform/problem'
import type { IssueFormField } from '../../gen/contract.ts'
import { area, field, select, written } from '../../parts/forms.ts'
import { newIssueWords as words } from '../../words/issues.ts'

/** Prefixed, so that fields of a template do not collide with those of the page. */
const nameOf = ({ id }: IssueFormField) => `field_${id}`
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const isTrue = (value: unknown): boolean => value === true

/** `notes`: rendered Markdown by index of the field. */
export function formFields(
  visit: PageVisit,
  fields: readonly IssueFormField[],
  notes: ReadonlyMap<number, Html>,
): Html {
  return html`${fields.map((it, i) => (it.visible.includes('form') ? one(visit, it, notes.get(i)) : undefined))}`
}

function one(visit: PageVisit, it: IssueFormField, note: Html | undefined): Html {
  const { type, attributes, validations } = it
  const name = nameOf(it)
  const facts = {
    name,
    label: textOf(attributes.label),
    help: textOf(attributes.description),
    value: written(visit, 'create', name, textOf(attributes.value)),
    placeholder: textOf(attributes.placeholder),
    isRequired: isTrue(validations?.required),
  }
  if (type === 'markdown') return html`<div class="form-note">${note}</div>`
  if (type === 'input') return field({ ...facts, maxLength: 1_000 })
  if (type === 'textarea') return area({ ...facts, isCode: textOf(attributes.render) !== '' })
  const options = optionsOf(it)
  if (type === 'dropdown' && !isTrue(attributes.multiple)) {
    const first = options[Number(attributes.default ?? -1)] ?? ''
    const value = written(visit, 'create', name, first)
    return select({
      ...facts,
      value,
      options: [['', '–'], ...options.map((option) => [option, option] as const)],
    })
  }
  const chosen = new Set(visit.failed?.form === 'create' ? visit.failed.fields.all(name) : [])
  return html`<fieldset><legend>${facts.label}</legend>${facts.help !== '' && html`<p class="help">${facts.help}</p>`}${options.map(
    (option, i) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${i}"${chosen.has(`${i}`) && html` checked`}> ${option}</label>`,
  )}</fieldset>`
}

/** Options of a dropdown, or labels of checkboxes. */
function optionsOf({ attributes }: IssueFormField): string[] {
  const { options } = attributes
  if (!Array.isArray(options)) return []
  return options.map((it: unknown) =>
    typeof it === 'string' ? it : textOf((it as { label?: unknown } | null)?.label),
  )
}

/** As Gitea writes it: a heading for each field, followed by the answer. */
export function textOfForm(fields: readonly IssueFormField[], sent: Fields): string {
  return fields
    .filter((it) => it.visible.includes('content') && it.type !== 'markdown')
    .map((it) => `### ${textOf(it.attributes.label)}\n\n${answerOf(it, sent)}`)
    .join('\n\n')
}

function answerOf(it: IssueFormField, sent: Fields): string {
  const { type, attributes } = it
  const options = optionsOf(it)
  if (type === 'checkboxes') {
    const ticked = new Set(sent.numbers(nameOf(it)))
    assertTicked(it, ticked)
    return options.map((option, i) => `- [${ticked.has(i) ? 'x' : ' '}] ${option}`).join('\n')
  }
  const isMany = type === 'dropdown' && isTrue(attributes.multiple)
  const answer = isMany
    ? sent
        .numbers(nameOf(it))
        .flatMap((i) => options[i] ?? [])
        .join(', ')
    : (sent.maybe(nameOf(it)) ?? '')
  assertAnswered(it, answer)
  if (answer === '') return words.noResponse
  const language = textOf(attributes.render)
  return language === '' ? answer : `\`\`\`${language.replaceAll(/\W/g, '')}\n${answer}\n\`\`\``
}

function assertAnswered({ attributes, validations }: IssueFormField, answer: string): void {
  const label = textOf(attributes.label)
  if (answer === '' && isTrue(validations?.required)) throw invalid(words.required(label))
  if (answer !== '' && isTrue(validations?.is_number) && !Number.isFinite(Number(answer)))
    throw invalid(words.wrong(label))
}

/** Each required checkbox is checked. */
function assertTicked({ attributes }: IssueFormField, ticked: ReadonlySet<number>): void {
  const { options } = attributes
  if (!Array.isArray(options)) return
  for (const [i, option] of options.entries())
    if (isTrue((option as { required?: unknown } | null)?.required) && !ticked.has(i))
      throw invalid(words.required(textOf((option as { label?: unknown }).label)))
}
