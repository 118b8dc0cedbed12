/** Requests and answers of the planner: plain data, because it runs in a worker thread. */
import type { UnitLevels } from '../language/permissions.ts'
import type { Trigger } from '../language/triggers.ts'

export type Status =
  | 'blocked'
  | 'waiting'
  | 'running'
  | 'cancelling'
  | 'success'
  | 'failure'
  | 'cancelled'
  | 'skipped'

/** State of the planner for a job, in `action_job.plan`. */
export interface JobPlan {
  readonly matrix?: Readonly<Record<string, unknown>>
  /** Position in the matrix, and the number of its combinations. */
  readonly index?: number
  readonly total?: number
  /** The matrix depends on outputs of other jobs; this row is a placeholder for all its jobs. */
  readonly is_unexpanded?: boolean
  readonly max_parallel?: number
  readonly fails_fast?: boolean
  readonly cancels_others?: boolean
  /** For a job that calls a workflow. */
  readonly calls?: Call
  /** The attempt in which all needed jobs were done. */
  readonly ready_in?: number
  /** Why the job failed before a runner saw it. */
  readonly problem?: string
}

export interface Call {
  readonly path: string
  /** The called workflow and all workflows it uses, by path. */
  readonly files: Readonly<Record<string, string>>
  readonly depth: number
  /** Set when the call begins. */
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Maps secrets of the called workflow to those of the caller; null passes all on. */
  readonly secrets?: Readonly<Record<string, string>> | null
}

export interface JobState {
  readonly id: number
  readonly parent_id: number | null
  readonly key: string
  readonly name: string
  readonly needs: readonly string[]
  readonly status: Status
  /** Fully planned; waits only for its turn. */
  readonly is_ready: boolean
  readonly continues_on_error: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly plan: JobPlan
}

/** A job as its row is to be written. A job with a payload is ready. */
export interface PlannedJob {
  readonly parent_id: number | null
  readonly key: string
  readonly name: string
  readonly needs: readonly string[]
  readonly runs_on: readonly string[]
  readonly status: 'blocked' | 'failure'
  readonly payload: string | null
  readonly permissions: UnitLevels | Readonly<Record<string, never>>
  readonly continues_on_error: boolean
  readonly timeout_minutes: number
  readonly concurrency_group: string | null
  readonly plan: JobPlan
}

export type JobChange =
  | {
      readonly id: number
      readonly ends: 'success' | 'failure' | 'cancelled' | 'skipped'
      readonly outputs?: Record<string, string>
      readonly plan?: JobPlan
    }
  | { readonly id: number; readonly begins: JobPlan }
  | { readonly id: number; readonly becomes: PlannedJob }

export interface RunContexts {
  readonly github: object
  readonly vars: object
  readonly inputs: object
}

export interface FirstPlanOrder {
  readonly kind: 'first'
  readonly text: string
  /** All workflows of the same folder, by path, as candidates for calls. */
  readonly files: Readonly<Record<string, string>>
  readonly contexts: RunContexts
  readonly onlyReads: boolean
}

export interface FirstPlan {
  readonly name: string
  /** Title of the run from `run-name`; empty for the default. */
  readonly title: string
  readonly concurrency: { readonly group: string; readonly cancels_others: boolean } | null
  readonly jobs: readonly PlannedJob[]
}

export interface NextPlanOrder {
  readonly kind: 'next'
  readonly text: string
  readonly contexts: RunContexts
  readonly onlyReads: boolean
  readonly jobs: readonly JobState[]
}

export interface NextPlan {
  readonly changes: readonly JobChange[]
  readonly added: readonly PlannedJob[]
}

export interface ReadOrder {
  readonly kind: 'read'
  readonly text: string
}

/** Requests the names of a job's steps. */
export interface StepsOrder {
  readonly kind: 'steps'
  readonly payload: string
}

/** The parts of a workflow that decide when it starts. */
export interface WorkflowFile {
  readonly name: string
  readonly triggers: readonly Trigger[]
}

export type Order = ReadOrder | FirstPlanOrder | NextPlanOrder | StepsOrder
export type Answer<T> = { readonly said: T } | { readonly problem: string }
