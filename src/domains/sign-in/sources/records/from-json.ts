/** The bodies of the REST interface as the command line reads them: a file of the operator. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { invalid } from '#platform/problem'
import { CreateSource, EditSource } from './schemas.ts'

const TEXT_MAX = 65_536

export const readCreateSource = (text: string) => read(CreateSource, text)
export const readEditSource = (text: string) => read(EditSource, text)

function read<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
  const value = text.length > TEXT_MAX ? undefined : parse(text)
  const checked = Compile(schema)
  if (checked.Check(value)) return checked.Clean(value) as Static<Schema>
  const [error] = value === undefined ? [] : checked.Errors(value)
  throw invalid(
    error === undefined ? 'settings are not JSON' : `settings: ${error.instancePath} ${error.message}`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
