/** Words of branches and tags. */
import * as de from './de/branches.ts'
import * as en from './en/branches.ts'
import * as fr from './fr/branches.ts'
import { spoken } from './spoken.ts'

export const { branchWords } = spoken({ en, de, fr })
