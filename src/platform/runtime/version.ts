/** Our own version, and the version of the interface that clients ask for. */
import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const VERSION = manifest.version
/** Compat: clients switch features on by this number (D21). */
export const API_VERSION = '1.27.0'
