/** The wire format of labels. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { invalid } from '#platform/problem'
import type { LabelRow } from './tables.ts'

export type Label = Static<typeof Label>
export const Label = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    exclusive: Type.Boolean(),
    is_archived: Type.Boolean(),
    color: Type.String({ description: 'hex color of six digits, without #' }),
    description: Type.String(),
    url: Type.String(),
  },
  { title: 'Label' },
)

/** `root`: URL of the list that contains the label. */
export function presentLabel(label: LabelRow, root: string): Label {
  return {
    id: label.id,
    name: label.name,
    exclusive: label.is_exclusive,
    is_archived: label.archived_at !== null,
    color: label.color,
    description: label.description,
    url: `${root}/${label.id}`,
  }
}

const COLOR = /^#?([\da-f]{6}|[\da-f]{3})$/i

/** Normalizes a color to six lower-case hex digits. */
export function colorOf(text: string): string {
  const digits = COLOR.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) throw invalid('invalid color', { color: text })
  return digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')
}
