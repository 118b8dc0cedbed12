/** `npm run contract`: rewrites the snapshot of our interface, so that a change of it shows in review. */
import { writeFile } from 'node:fs/promises'
import { routes } from '../src/cli/forge.ts'
import { openApiDocument } from '../src/http/index.ts'

const text = `${JSON.stringify(openApiDocument(routes, 'http://forge.test'), null, 2)}\n`
await writeFile(new URL('../contract/openapi.json', import.meta.url), text)
