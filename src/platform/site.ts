/** Name, logo and public addresses of this installation. */
import { readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import type { Config } from '#platform/config'

export interface Site {
  readonly name: string
  /** Undefined when the site has none of its own. */
  readonly logo: Logo | undefined
  /** Root of the forge, without a trailing slash. */
  readonly url: string
  readonly apiUrl: string
  /** The page that every problem links to. */
  readonly docsUrl: string
  readonly host: string
  /** Domain of the addresses that stand for a hidden e-mail address. */
  readonly noreplyDomain: string
  readonly ssh: { readonly user: string; readonly host: string; readonly port: number }
}

export interface Logo {
  readonly type: string
  readonly bytes: Buffer
}

const SSH_DEFAULT_PORT = 22

export function siteOf(config: Config, listening: { host: string; port: number }): Site {
  const url = config['http.url'] || `http://${bracketed(listening.host)}:${listening.port}`
  const { hostname, host } = new URL(url)
  return {
    name: config['site.name'],
    logo: config['site.logo'] === '' ? undefined : readLogo(config['site.logo']),
    url,
    apiUrl: `${url}/api/v1`,
    docsUrl: docsUrlOf(url),
    host,
    noreplyDomain: `noreply.${hostname}`,
    ssh: { user: config['ssh.user'], host: config['ssh.host'] || hostname, port: config['ssh.port'] },
  }
}

/** The configuration accepts no other types. */
function readLogo(file: string): Logo {
  return { type: file.endsWith('.svg') ? 'image/svg+xml' : 'image/png', bytes: readFileSync(file) }
}

/** An IPv6 address stands in brackets in a URL. */
function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

export function docsUrlOf(siteUrl: string): string {
  return `${siteUrl}/api/swagger`
}

/** The SSH address of a repository: the short form on port 22, a URL on any other. */
export function sshAddress(site: Site, path: string): string {
  const { user, host, port } = site.ssh
  return port === SSH_DEFAULT_PORT ? `${user}@${host}:${path}` : `ssh://${user}@${host}:${port}/${path}`
}
