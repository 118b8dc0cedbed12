/**
 * Audit: a record of every operation that changes something and of every sign-in that is refused, who may read them, and
 * the chain of seals that shows whether records were removed or changed.
 */
import { defineSlice } from '#slices'
import { deleteExpired } from './chain/retention.ts'
import { SEALED_KEY, sealRecords } from './chain/seal.ts'
import { SETTINGS } from './config.ts'
import { recordExcess } from './entry/refusals.ts'
import { auditRoutes } from './records/routes.ts'

export { type ChainFinding, type ChainReport, verifyChain } from './chain/verify.ts'
export { type Caller, OperationEntry, type Origin, recordRefusedSignIn } from './entry/entry.ts'
export { UNAUDITED } from './entry/operations.ts'
export { Acknowledged } from './failovers/acknowledged.ts'
export { type FailoverReport, readFailovers } from './failovers/reports.ts'
export { tellLosses } from './failovers/tell-losses.ts'
export { followRecords } from './records/follow.ts'
export { listRecords } from './records/list-records.ts'
export { AuditQuery, filterOf, limitOf, nextLink } from './records/query.ts'
export { OrgAuditRecord, presentForOrg, presentRecord } from './records/wire.ts'

export const slice = defineSlice({
  name: 'audit',
  tables: ['audit_record', 'audit_refusal', 'audit_seal', 'audit_chain'],
  sealed: [SEALED_KEY],
  routes: auditRoutes,
  tasks: [
    { name: 'record_refused_sign_ins', schedule: '@every 1m', run: recordExcess },
    { name: 'seal_audit_records', schedule: '@every 1m', run: sealRecords },
    { name: 'delete_expired_audit_records', schedule: '@every 1h', run: deleteExpired },
  ],
  settings: SETTINGS,
})
