/**
 * Labels: names and colors that issues and pull requests are given, of a repository or of a whole organization.
 *
 * Owns    tables `label`, `label_count`
 * Serves  /repos/:owner/:repo/labels, /orgs/:org/labels: lists, and new ones of an organization
 */
export { labelRoutes } from './routes.ts'
export { addLabelSet, copyLabels } from './store.ts'
export { Label, presentLabel } from './wire.ts'
