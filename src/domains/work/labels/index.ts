/** Labels of repositories and organizations, for issues and pull requests. */
import { findLabelSet } from '#domains/instance/templates'
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { labelRoutes } from './routes.ts'
import { addLabelSet, copyLabels } from './store.ts'

export { type ImportedLabel, insertImportedLabels } from './insert-imported.ts'
export { countLabels, findLabels } from './store.ts'
export type { LabelRow } from './tables.ts'
export { Label, presentLabel } from './wire.ts'

export const slice = defineSlice({
  name: 'labels',
  tables: ['label', 'label_count'],
  routes: labelRoutes,
  handlers: [
    handler('repository.created', async (ctx, { repository_id, label_set }) => {
      const labels = label_set === '' ? undefined : findLabelSet(label_set)
      if (labels !== undefined) await addLabelSet(ctx, repository_id, labels)
    }),
    handler('repository.generated', async (ctx, { template_id, repository_id, wants_labels }) => {
      if (wants_labels) await copyLabels(ctx, template_id, repository_id)
    }),
  ],
})
