/** Forms and fields. After a refusal they keep the sent values and show the reason. */
import { addressOf, type Html, html, nothing, type PageVisit, type Piece } from '#platform/page'
import type { Problem } from '#platform/problem'
import { refusalWords } from '../words/refusals.ts'

interface FormFacts {
  /** The page that handles the form; default: this one. */
  readonly action?: string
  readonly class?: string
  /** Multipart, for file uploads. */
  readonly hasFiles?: boolean
  /** Place under which texts are saved as drafts. */
  readonly draft?: string
  readonly label?: string
  readonly id?: string
}

/** The form of this name in `page({ forms })`. */
export function form(visit: PageVisit, name: string, content: Piece, facts: FormFacts = {}): Html {
  const { action = addressOf(visit), hasFiles = false } = facts
  return html`<form method="post" action="${action}"${facts.class && html` class="${facts.class}"`}${facts.id && html` id="${facts.id}"`}${
    facts.label && html` aria-label="${facts.label}"`
  }${hasFiles && html` enctype="multipart/form-data"`}${facts.draft && html` data-draft="${facts.draft}"`}>
<input type="hidden" name="form" value="${name}">${visit.query.get('act') === 'curl' && hidden('act', 'curl')}${refusal(visit, name)}${content}</form>`
}

interface FormButtonFacts {
  readonly action?: string
  readonly tone?: 'quiet' | 'danger' | 'primary'
  /** Accessible label, if the text alone is not clear. */
  readonly label?: string
  readonly key?: string
}

/** A form that consists of one button and hidden fields. */
export function formButton(
  visit: PageVisit,
  name: string,
  text: Piece,
  fields: Readonly<Record<string, string | number>> = {},
  { action, ...facts }: FormButtonFacts = {},
): Html {
  const content = html`${Object.entries(fields).map(([key, value]) => hidden(key, value))}${button(text, facts)}`
  return form(visit, name, content, { class: 'inline', ...(action !== undefined && { action }) })
}

export function hidden(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** Why the form was refused, announced to screen readers on load. */
export function refusal({ failed }: PageVisit, name: string): Html {
  if (failed === null || failed.form !== name) return nothing
  return html`<p class="flash bad" role="alert" tabindex="-1" autofocus>${messageOf(failed.problem)}</p>`
}

/** The message of a problem in the language of the page, if it is translated. */
export function messageOf({ message }: Problem): string {
  return Object.hasOwn(refusalWords, message) ? refusalWords[message as keyof typeof refusalWords] : message
}

/** The value that was sent and refused, or else the current one. */
export function written({ failed }: PageVisit, form: string, field: string, value = ''): string {
  return failed !== null && failed.form === form && failed.fields.has(field)
    ? failed.fields.text(field)
    : value
}

interface ButtonFacts {
  readonly tone?: 'quiet' | 'danger' | 'primary'
  readonly name?: string
  readonly value?: string
  readonly label?: string
  /** Keyboard shortcut. */
  readonly key?: string
  readonly isDisabled?: boolean
}

export function button(text: Piece, facts: ButtonFacts = {}): Html {
  const { tone, name, value, label, key, isDisabled } = facts
  return html`<button type="submit" class="button ${tone ?? ''}"${name && html` name="${name}" value="${value ?? ''}"`}${
    label && html` aria-label="${label}" title="${label}"`
  }${key && html` data-key="${key}"`}${isDisabled && html` disabled`}>${text}</button>`
}

interface FieldFacts {
  readonly name: string
  /** For pages with several fields of one name. */
  readonly id?: string
  readonly label: string
  readonly value?: string
  readonly type?: string
  readonly help?: Piece
  readonly isRequired?: boolean
  readonly autocomplete?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly placeholder?: string
  readonly isFocused?: boolean
  readonly isInvalid?: boolean
  readonly pattern?: string
  /** Suggestions; other values are allowed. */
  readonly offers?: readonly string[]
}

export function field(facts: FieldFacts): Html {
  const { name, label, value = '', type = 'text', help, maxLength = 255 } = facts
  const id = facts.id ?? `field-${name}`
  return html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}" maxlength="${maxLength}"${facts.minLength && html` minlength="${facts.minLength}"`}${facts.isInvalid && html` aria-invalid="true"`}${facts.isRequired && html` required`}${
    facts.autocomplete && html` autocomplete="${facts.autocomplete}"`
  }${facts.placeholder && html` placeholder="${facts.placeholder}"`}${facts.isFocused && html` autofocus`}${
    facts.pattern && html` pattern="${facts.pattern}"`
  }${facts.offers && html` list="${id}-offers"`}${help && html` aria-describedby="${id}-help"`}>${
    facts.offers &&
    html`<datalist id="${id}-offers">${facts.offers.map((it) => html`<option value="${it}"></option>`)}</datalist>`
  }${help && html`<p class="help" id="${id}-help">${help}</p>`}</div>`
}

interface AreaFacts extends Omit<FieldFacts, 'type' | 'pattern' | 'autocomplete' | 'offers'> {
  readonly rows?: number
  /** Hides the label visually, not from screen readers. */
  readonly isLabelHidden?: boolean
  readonly isCode?: boolean
}

export function area({ name, label, value = '', help, rows = 6, ...facts }: AreaFacts): Html {
  const id = facts.id ?? `field-${name}`
  return html`<div class="field"><label for="${id}"${facts.isLabelHidden && html` class="unseen"`}>${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}" maxlength="${facts.maxLength ?? 65_535}"${facts.isCode && html` class="code" spellcheck="false"`}${
    facts.isRequired && html` required`
  }${facts.placeholder && html` placeholder="${facts.placeholder}"`}${help && html` aria-describedby="${id}-help"`}>
${value}</textarea>${help && html`<p class="help" id="${id}-help">${help}</p>`}</div>`
}

interface CheckFacts {
  readonly name: string
  readonly id?: string
  readonly label: Piece
  readonly value?: string
  readonly isChecked?: boolean
  readonly help?: Piece
  readonly type?: 'checkbox' | 'radio'
}

export function check({
  name,
  label,
  value = 'true',
  isChecked,
  help,
  type = 'checkbox',
  ...facts
}: CheckFacts): Html {
  const id = facts.id ?? `field-${name}-${value}`
  return html`<div class="check"><input id="${id}" type="${type}" name="${name}" value="${value}"${isChecked && html` checked`}${
    help && html` aria-describedby="${id}-help"`
  }> <label for="${id}">${label}</label>${help && html`<p class="help" id="${id}-help">${help}</p>`}</div>`
}

interface SelectFacts {
  readonly name: string
  readonly id?: string
  readonly label: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly value?: string | undefined
  readonly help?: Piece
  readonly isLabelHidden?: boolean
}

export function select({ name, label, options, value, help, isLabelHidden, ...facts }: SelectFacts): Html {
  const id = facts.id ?? `field-${name}`
  return html`<div class="field"><label for="${id}"${isLabelHidden && html` class="unseen"`}>${label}</label>
<select id="${id}" name="${name}">${options.map(
    ([it, text]) => html`<option value="${it}"${it === value && html` selected`}>${text}</option>`,
  )}</select>${help && html`<p class="help">${help}</p>`}</div>`
}
