/** Our own version, and the API version that clients query. */
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const VERSION = manifest.version
/** Compat: clients enable features by this number (D21). */
export const API_VERSION = '1.27.0'
