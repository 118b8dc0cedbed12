/**
 * Templates: initial content of repositories. Texts only: no tables, routes or events.
 */
export { findGitignore, listGitignores } from './gitignores.ts'
export { findLabelSet, type LabelTemplate, listLabelSets } from './label-sets.ts'
export { fillLicense, findLicense, hasLicense, type LicenseTemplate, listLicenses } from './licenses.ts'
export { findReadme, listReadmes, type ReadmeFacts } from './readmes.ts'
