/** What is asked of the planner and what it answers: plain data, because a thread is between. */
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

/** What the planner keeps of a job until it is ready, in `action_job.plan`. */
export interface JobPlan {
  readonly matrix?: Readonly<Record<string, unknown>>
  /** Which of how many of its matrix. */
  readonly index?: number
  readonly total?: number
  /** Its matrix depends on what other jobs say: it stands for all that will be. */
  readonly is_unexpanded?: boolean
  readonly max_parallel?: number
  readonly fails_fast?: boolean
  readonly cancels_others?: boolean
  /** Of a job that consists of a workflow. */
  readonly calls?: Call
  /** The attempt in which all that it needs was done. */
  readonly ready_in?: number
  /** Why it failed before any runner saw it. */
  readonly problem?: string
}

export interface Call {
  readonly path: string
  /** That workflow and those it uses in turn, by their paths. */
  readonly files: Readonly<Record<string, string>>
  readonly depth: number
  /** Once it is under way. */
  readonly inputs?: Readonly<Record<string, unknown>>
  /** Which secret of the caller each of its own stands for; null for all as they are. */
  readonly secrets?: Readonly<Record<string, string>> | null
}

export interface JobState {
  readonly id: number
  readonly parent_id: number | null
  readonly key: string
  readonly name: string
  readonly needs: readonly string[]
  readonly status: Status
  /** Everything is known of it, and it only waits for its turn. */
  readonly is_ready: boolean
  readonly continues_on_error: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly plan: JobPlan
}

/** A job as its row is to be. One with a payload is ready. */
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
  /** All workflows of the same folder, by their paths: for those that are used. */
  readonly files: Readonly<Record<string, string>>
  readonly contexts: RunContexts
  readonly onlyReads: boolean
}

export interface FirstPlan {
  readonly name: string
  /** What the run is called; empty for what it is about. */
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

/** For the names of a job's steps. */
export interface StepsOrder {
  readonly kind: 'steps'
  readonly payload: string
}

/** What has to be known of a workflow to find out when it starts. */
export interface WorkflowFile {
  readonly name: string
  readonly triggers: readonly Trigger[]
}

export type Order = ReadOrder | FirstPlanOrder | NextPlanOrder | StepsOrder
export type Answer<T> = { readonly said: T } | { readonly problem: string }
