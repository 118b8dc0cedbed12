/** Fields of several files of an export. */
import { Type } from 'typebox'

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
/** Of an issue or pull request. */
export const IssueNumber = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
