/**
 * Templates: what a new repository can begin with. Texts only: it owns no table, serves no route and tells nothing.
 */
export { findGitignore, listGitignores } from './gitignores.ts'
export { findLabelSet, type LabelTemplate, listLabelSets } from './label-sets.ts'
export { fillLicense, findLicense, hasLicense, type LicenseTemplate, listLicenses } from './licenses.ts'
export { findReadme, listReadmes, type ReadmeFacts } from './readmes.ts'
