/**
 * Artifacts: files that jobs leave behind, for people and for later jobs. Clients of both protocols bring and get them;
 * their bytes go to the object store as they come.
 */
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { v3Routes } from './protocol/v3.ts'
import { v4Routes } from './protocol/v4.ts'
import { artifactRoutes } from './rest/routes.ts'
import { artifactTasks } from './sweep.ts'

export const slice = defineSlice({
  name: 'artifacts',
  tables: ['action_artifact', 'action_artifact_part'],
  routes: artifactRoutes,
  rawRoutes: [...v4Routes, ...v3Routes],
  tasks: artifactTasks,
  settings: SETTINGS,
})
