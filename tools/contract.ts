/**
 * `npm run contract`: rewrites the snapshot of our API, so that changes show in review, the types by which pages call
 * its operations, and those of the client in `clients/typescript`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { routes } from '../src/cli/forge.ts'
import { clientOf, openApiDocument, typescriptOf } from '../src/http/index.ts'

const document = openApiDocument(routes, 'http://forge.test')
const text = `${JSON.stringify(document, null, 2)}\n`
await writeFile(new URL('../contract/openapi.json', import.meta.url), text)
const types = typescriptOf(JSON.parse(text))
await writeFile(new URL('../src/web/gen/contract.ts', import.meta.url), types)
const client = new URL('../clients/typescript/gen/', import.meta.url)
await mkdir(client, { recursive: true })
await writeFile(new URL('operations.ts', client), clientOf(JSON.parse(text)))
