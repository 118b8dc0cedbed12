/**
 * SMTP client for the configured server only; the guarded client of `#platform/outbound` is for URLs that users give. One
 * connection for each mail, with one timeout for all of it.
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

/** The host name of the forge in mail, without a port. */
export function hostOf(site: Site): string {
  return new URL(site.url).hostname
}

/**
 * Resolves when the server has accepted the mail. `begin` is called when the server is ready for the content: if it
 * throws, nothing is sent; after it, only a response of the server determines the outcome.
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

/** Whether the server refused with a response code, and thus did not accept the mail. */
export function isRefusal(error: unknown): boolean {
  return typeof (error as { responseCode?: unknown } | null)?.responseCode === 'number'
}

/** Connects and signs in without sending. */
export function assertServer(teller: Teller): Promise<void> {
  return connected(teller, async () => undefined)
}

async function connected(
  { config, site }: Teller,
  work: (connection: SmtpConnection) => Promise<unknown>,
): Promise<void> {
  const timeoutMs = config['mail.timeout_ms']
  const tls = config['mail.tls']
  // Loaded on first use, like the composer.
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
  // A rejection after a successful session must not be unhandled.
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
