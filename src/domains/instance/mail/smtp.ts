/**
 * Speaking to the SMTP server that the configuration names, and to no other: the guarded client of `#platform/outbound`
 * is for addresses that users give. One connection for each letter, and one bound on all of its time.
 */
import { Readable } from 'node:stream'
import type SmtpConnection from 'nodemailer/lib/smtp-connection'
import type { Config } from '#platform/config'
import type { Site } from '#platform/site'
import { compose, type Letter } from './compose.ts'

interface Teller {
  readonly config: Config
  readonly site: Site
}

export function isMailOn(config: Config): boolean {
  return config['mail.host'] !== ''
}

export function senderOf({ config, site }: Teller): string {
  return config['mail.from'] || `noreply@${hostOf(site)}`
}

/** Without a port: what names this forge in mail. */
export function hostOf(site: Site): string {
  return new URL(site.url).hostname
}

/**
 * Resolves when the server has taken the letter. `begin` is called when it is ready to: if that fails nothing is sent,
 * and afterwards only an answer of the server says what became of it.
 */
export async function sendLetter(teller: Teller, letter: Letter, begin: () => Promise<void>): Promise<void> {
  const content = await compose(letter)
  const envelope = { from: letter.from.address, to: letter.to.address, size: content.length }
  await connected(teller, (connection) =>
    settled((done) => connection.send(envelope, Readable.from(contentAfter(begin, content)), done)),
  )
}

async function* contentAfter(begin: () => Promise<void>, content: Buffer): AsyncGenerator<Buffer> {
  await begin()
  yield content
}

/** Whether it was the server that said no: then it has not taken the letter. */
export function isRefusal(error: unknown): boolean {
  return typeof (error as { responseCode?: unknown } | null)?.responseCode === 'number'
}

/** Connects and signs in, and sends nothing. */
export function assertServer(teller: Teller): Promise<void> {
  return connected(teller, async () => undefined)
}

async function connected(
  { config, site }: Teller,
  work: (connection: SmtpConnection) => Promise<unknown>,
): Promise<void> {
  const timeoutMs = config['mail.timeout_ms']
  const tls = config['mail.tls']
  // Loaded with the first letter, as what writes it is.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    host: config['mail.host'],
    port: config['mail.port'],
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    name: hostOf(site),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  // Whoever has ended well does not ask what became of the connection.
  failure.catch(() => undefined)
  connection.on('error', fail)
  connection.once('end', () => fail(new Error('SMTP server closed the connection')))
  const timer = setTimeout(() => fail(new Error('SMTP server timed out')), timeoutMs)
  const session = async () => {
    await settled((done) => connection.connect(done))
    const user = config['mail.user']
    if (user !== '') await settled((done) => connection.login({ user, pass: config['mail.password'] }, done))
    await work(connection)
    connection.quit()
  }
  try {
    await Promise.race([session(), failure])
  } catch (error) {
    connection.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())))
}
