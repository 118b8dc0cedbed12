/** Refuses messages with too many fields before the Connect library parses them, which it does on the main thread. */
import { Code, ConnectError } from '@connectrpc/connect'
import { hasFewValues } from '#platform/json'

/**
 * A message has a few fields, and at most the number of rows that `UpdateLog` accepts; in JSON a row has three
 * values.
 */
const FIELDS_MAX = 101_000
const VALUES_MAX = 4 * FIELDS_MAX
const BRACE = 0x7b
/** Tag of `UpdateTaskRequest.state`; no other message has a long first field. */
const STATE = 0x0a

export function assertFewParts(message: Uint8Array): void {
  const isJson = message.find((byte) => byte > 0x20) === BRACE
  if (isJson ? !hasFewValues(message, VALUES_MAX) : countFields(message) > FIELDS_MAX)
    throw new ConnectError('message has too many rows', Code.ResourceExhausted)
}

/**
 * Counts protobuf fields at the top level and in the state of a task, which contains the steps. Malformed messages
 * are left to the library.
 */
function countFields(message: Uint8Array, isTop = true): number {
  let fields = 0
  for (let at = 0; at < message.length && fields <= FIELDS_MAX; fields++) {
    const tag = readNumber(message, at)
    const { from, to } = extentOf(message, tag.value & 7, tag.end)
    if (isTop && tag.value === STATE) fields += countFields(message.subarray(from, to), false)
    at = to
  }
  return fields
}

/** The extent of a field's value, by its wire type; an unknown type ends the message. */
function extentOf(message: Uint8Array, type: number, at: number): { from: number; to: number } {
  if (type === 0) return { from: at, to: readNumber(message, at).end }
  if (type === 1) return { from: at, to: at + 8 }
  if (type === 5) return { from: at, to: at + 4 }
  if (type !== 2) return { from: at, to: message.length }
  const size = readNumber(message, at)
  return { from: size.end, to: size.end + size.value }
}

function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0
  let at = from
  for (let shift = 1; at < bytes.length; shift *= 128) {
    const byte = bytes[at++] ?? 0
    value += (byte & 127) * shift
    if (byte < 128) break
  }
  return { value, end: at }
}
