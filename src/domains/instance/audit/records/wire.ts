/** Audit records as clients see them. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import type { AuditRecord as Row } from '../tables.ts'

export const Outcome = Type.Union([
  Type.Literal('done'),
  Type.Literal('unchanged'),
  Type.Literal('refused'),
  Type.Literal('failed'),
])
const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()])
const Id = Type.Union([Type.Integer(), Type.Null()])

const fields = {
  id: Type.Integer(),
  at: Time,
  operation: Type.String({
    description: 'operation ID, as in this document; signIn for refused credentials',
  }),
  outcome: Outcome,
  problem: nullable(Type.String({ description: 'why it was refused' })),
  account_id: Id,
  account: nullable(Type.String({ description: 'login of the account whose credential it was' })),
  as_id: Id,
  as_account: nullable(Type.String({ description: 'login of the account that an administrator acted as' })),
  via: Type.String({ description: 'kind of the credential' }),
  repository_id: Id,
  owner_id: Id,
  target: Type.String({ description: 'path parameters, as JSON' }),
  times: Type.Integer({ description: 'more than 1 for refused sign-ins of one address in one minute' }),
}

/** Without what is personal: any user can own an organization, and everyone may write to its public repositories. */
export const OrgAuditRecord = Type.Object(fields, { title: 'OrganizationAuditRecord' })
export const AuditRecord = Type.Object(
  {
    ...fields,
    credential: nullable(Type.String({ description: 'ID of the token or session, or the key' })),
    address: nullable(Type.String({ description: 'IP address of the client' })),
    request_id: nullable(Type.String()),
    node: Type.String(),
  },
  { title: 'AuditRecord' },
)
export type OrgAuditRecord = Static<typeof OrgAuditRecord>
export type AuditRecord = Static<typeof AuditRecord>

export function presentForOrg(row: Row): OrgAuditRecord {
  const { id, operation, outcome, problem, account_id, account, as_id, as_account } = row
  const { at, via, repository_id, owner_id, target, times } = row
  const who = { account_id, account, as_id, as_account, via }
  return { id, at: time(at), operation, outcome, problem, ...who, repository_id, owner_id, target, times }
}

export function presentRecord(row: Row): AuditRecord {
  const { credential, address, request_id, node } = row
  return { ...presentForOrg(row), credential, address, request_id, node }
}
