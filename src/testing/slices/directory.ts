/** A directory for tests: slapd of Debian with TLS, in a folder of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeCertificate } from '../certificate.ts'

const run = promisify(execFile)
const SLAPD = '/usr/sbin/slapd'
export const BASE = 'dc=company,dc=test'
const ROOT = `cn=root,${BASE}`
const ROOT_PASSWORD = 'secret of the directory'
const START_MS = 30_000

export class Directory implements AsyncDisposable {
  /** Settings of a source. */
  readonly ldap: object
  readonly secret = ROOT_PASSWORD
  readonly plainPort: number
  private readonly child: ChildProcess
  private readonly folder: string

  private constructor(
    child: ChildProcess,
    folder: string,
    ports: { plain: number; tls: number },
    ca: string,
  ) {
    this.child = child
    this.folder = folder
    this.plainPort = ports.plain
    this.ldap = {
      host: 'localhost',
      port: ports.tls,
      security: 'ldaps',
      ca_certificate: ca,
      bind_dn: ROOT,
      base_dn: `ou=people,${BASE}`,
      user_filter: '(&(objectClass=inetOrgPerson)(uid=%s))',
      group_base_dn: `ou=groups,${BASE}`,
    }
  }

  static async start(): Promise<Directory> {
    const folder = await mkdtemp(join(tmpdir(), 'bloomery-slapd-'))
    const { key, cert } = makeCertificate('localhost')
    const data = join(folder, 'data')
    await mkdir(data)
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    await writeFile(keyFile, key, { mode: 0o600 })
    await writeFile(certFile, cert)
    const schemas = ['core', 'cosine', 'inetorgperson'].map((it) => `include /etc/ldap/schema/${it}.schema`)
    const lines = [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `TLSCertificateFile ${certFile}`,
      `TLSCertificateKeyFile ${keyFile}`,
      // Compat: servers that take a bind without a password for a success (RFC 4513, section 5.1.2).
      'allow bind_anon_cred bind_anon_dn',
      'database mdb',
      `suffix "${BASE}"`,
      `rootdn "${ROOT}"`,
      `rootpw "${ROOT_PASSWORD}"`,
      `directory ${data}`,
    ]
    const file = join(folder, 'slapd.conf')
    await writeFile(file, `${lines.join('\n')}\n`)
    const ports = { plain: await freePort(), tls: await freePort() }
    const listening = `ldap://127.0.0.1:${ports.plain} ldaps://127.0.0.1:${ports.tls}`
    const child = spawn(SLAPD, ['-d', '0', '-f', file, '-h', listening], { stdio: 'ignore' })
    const directory = new Directory(child, folder, ports, cert)
    await reachable(ports.tls)
    await directory.add(
      `dn: ${BASE}\nobjectClass: domain\ndc: company\n\n${['people', 'groups']
        .map((it) => `dn: ou=${it},${BASE}\nobjectClass: organizationalUnit\nou: ${it}\n`)
        .join('\n')}`,
    )
    return directory
  }

  /** A person whose password is `password of NAME`. */
  addPerson(uid: string, more = ''): Promise<void> {
    const facts = `uid: ${uid}\ncn: ${uid} Example\nsn: ${uid}\nuserPassword: ${passwordOf(uid)}\n`
    return this.add(`dn: ${dnOf(uid)}\nobjectClass: inetOrgPerson\n${facts}${more}`)
  }

  addGroup(name: string, uids: readonly string[]): Promise<void> {
    const members = uids.map((it) => `member: ${dnOf(it)}\n`).join('')
    return this.add(`dn: cn=${name},ou=groups,${BASE}\nobjectClass: groupOfNames\ncn: ${name}\n${members}`)
  }

  add(ldif: string): Promise<void> {
    return this.change(ldif, ['-a'])
  }

  /** Changes in LDIF. */
  async change(ldif: string, words: readonly string[] = []): Promise<void> {
    const file = join(this.folder, 'change.ldif')
    await writeFile(file, ldif)
    const own = ['-x', '-H', `ldap://127.0.0.1:${this.plainPort}`, '-D', ROOT, '-w', ROOT_PASSWORD]
    await run('ldapmodify', [...own, ...words, '-f', file])
  }

  remove(dn: string): Promise<void> {
    return this.change(`dn: ${dn}\nchangetype: delete\n`)
  }

  /** The entry stays the same one. */
  move(uid: string, from: string, to: string): Promise<void> {
    const place = `newrdn: uid=${uid}\ndeleteoldrdn: 0\nnewsuperior: ou=${to},${BASE}\n`
    return this.change(`dn: uid=${uid},ou=${from},${BASE}\nchangetype: modrdn\n${place}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill()
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
    await rm(this.folder, { recursive: true, force: true })
  }
}

export function dnOf(uid: string): string {
  return `uid=${uid},ou=people,${BASE}`
}

export function passwordOf(uid: string): string {
  return `password of ${uid}`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function reachable(port: number): Promise<void> {
  const end = performance.now() + START_MS
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > end) throw new Error('slapd does not start')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
