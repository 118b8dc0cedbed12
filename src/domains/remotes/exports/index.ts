/**
 * Exports: folders with everything of repositories in open formats (docs/export.md): git bundles, JSON lines in the shapes
 * of the REST API, and files. `bloomery export` writes them, and imports read them.
 */
import { defineSlice } from '#slices'

export { exportRepositories } from './export-owner.ts'
export { folderOf, PEOPLE } from './format.ts'
export { Export } from './read-export.ts'
export type { Operations } from './records.ts'

export const slice = defineSlice({ name: 'exports' })
