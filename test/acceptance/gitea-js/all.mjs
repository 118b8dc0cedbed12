// The tests of gitea-js.sh: each `test` is at least one call of the client. They build upon each other, in this order.
import { failed } from './kit.mjs'

// One by one: modules that are imported together would run together.
for (const name of [
  'server',
  'people',
  'repositories',
  'contents',
  'issues',
  'pulls',
  'releases',
  'organizations',
  'deletion',
])
  await import(`./${name}.mjs`)

process.exitCode = failed === 0 ? 0 : 1
