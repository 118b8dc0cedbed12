/** Path parameters of runs and jobs. */
import { Type } from 'typebox'
import { inRepository } from '#domains/code/repositories'

export const RunPath = inRepository({ run: Type.Integer() })
export const AttemptPath = inRepository({ run: Type.Integer(), attempt: Type.Integer() })
export const JobPath = inRepository({ job_id: Type.Integer() })
export const JobOfRunPath = inRepository({ run: Type.Integer(), job_id: Type.Integer() })
