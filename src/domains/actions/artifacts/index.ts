/**
 * Artifacts: files that jobs upload for users and later jobs, by either client protocol (v3, v4). The bytes are
 * streamed to the object store.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { v3Routes } from './protocol/v3.ts'
import { v4Routes } from './protocol/v4.ts'
import { countOfRun } from './record/store.ts'
import { artifactRoutes } from './rest/routes.ts'
import { artifactTasks } from './sweep.ts'

export const slice = defineSlice({
  name: 'artifacts',
  tables: ['action_artifact', 'action_artifact_part'],
  routes: artifactRoutes,
  rawRoutes: [...v4Routes, ...v3Routes],
  handlers: [handler('workflow_run.deleting', (ctx, { run_id }) => countOfRun(ctx, run_id))],
  tasks: artifactTasks,
  settings: SETTINGS,
})
