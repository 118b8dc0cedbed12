/** A small SMTP server on loopback that keeps received mails: with TLS and authentication, and with every way to fail. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

export interface MailServerOptions {
  /** Enables STARTTLS. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  readonly account?: { readonly user: string; readonly password: string }
  /** The outcome of a complete mail: accepted, refused, or accepted without an answer before the connection is cut. */
  readonly judge?: (mail: Mail) => 'take' | 'refuse' | 'cut'
}

/** A received mail, its headers unfolded and its parts decoded. */
export interface Mail {
  readonly to: string
  readonly raw: string
  readonly headers: ReadonlyMap<string, string>
  readonly parts: readonly { readonly type: string; readonly content: string }[]
}

export class MailServer implements AsyncDisposable {
  readonly taken: Mail[] = []
  sessions = 0
  isDown = false
  options: MailServerOptions
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  private constructor(options: MailServerOptions) {
    this.options = options
    this.server = createServer((socket) => {
      this.sockets.add(socket)
      socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket))
      this.sessions += 1
      if (this.isDown) socket.destroy()
      else this.greet(socket)
    })
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    const mailServer = new MailServer(options)
    mailServer.server.listen(0, '127.0.0.1')
    await once(mailServer.server, 'listening')
    return mailServer
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  of(address: string): Mail[] {
    return this.taken.filter(({ to }) => to === address)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.close()
    await once(this.server, 'close')
  }

  private greet(socket: Socket): void {
    socket.write('220 mail.test ESMTP\r\n')
    this.converse(socket, { isSecure: false, isKnown: false })
  }

  private converse(socket: Socket, state: { isSecure: boolean; isKnown: boolean }): void {
    const { certificate, account } = this.options
    let buffered = ''
    let to = ''
    let isContent = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const answers: Record<string, (line: string) => unknown> = {
      EHLO: () => {
        const offers = [
          ...(certificate && !state.isSecure ? ['STARTTLS'] : []),
          ...(account ? ['AUTH PLAIN'] : []),
        ]
        say(['250-mail.test', ...offers.map((it) => `250-${it}`), '250 8BITMIME'].join('\r\n'))
      },
      STARTTLS: () => {
        say('220 go ahead')
        socket.removeAllListeners('data')
        const secureContext = createSecureContext(certificate)
        const secure = new TLSSocket(socket, { isServer: true, secureContext })
        secure.on('error', () => socket.destroy())
        this.converse(secure, { ...state, isSecure: true })
      },
      AUTH: (line) => {
        const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
        state.isKnown = user === account?.user && password === account?.password
        say(state.isKnown ? '235 welcome' : '535 5.7.8 authentication failed')
      },
      MAIL: () => say(account && !state.isKnown ? '530 5.7.0 sign in first' : '250 ok'),
      RCPT: (line) => {
        to = /<(.*)>/.exec(line)?.[1] ?? ''
        say('250 ok')
      },
      DATA: () => {
        isContent = true
        say('354 go on')
      },
      QUIT: () => socket.end('221 bye\r\n'),
    }
    const take = (text: string) => {
      if (!isContent) return (answers[commandOf(text)] ?? (() => say('502 what')))(text)
      isContent = false
      return this.judge(socket, readMail(to, text))
    }
    socket.on('data', (bytes: Buffer) => {
      buffered += bytes.toString('latin1')
      for (;;) {
        const ending = isContent ? '\r\n.\r\n' : '\r\n'
        const end = buffered.indexOf(ending)
        if (end < 0) return
        const text = buffered.slice(0, end)
        buffered = buffered.slice(end + ending.length)
        take(text)
      }
    })
  }

  private judge(socket: Socket, mail: Mail): void {
    const verdict = this.options.judge?.(mail) ?? 'take'
    if (verdict === 'refuse') return void socket.write('451 4.3.0 not now\r\n')
    this.taken.push(mail)
    if (verdict === 'cut') socket.destroy()
    else socket.write('250 ok\r\n')
  }
}

function commandOf(line: string): string {
  return /^\w*/.exec(line)?.[0].toUpperCase() ?? ''
}

function readMail(to: string, raw: string): Mail {
  const text = raw.replace(/^\.\./gm, '.')
  const { headers, body } = readPart(text)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const inside = boundary === undefined ? [text] : body.split(`--${boundary}`).slice(1, -1)
  const parts = inside.map((part) => {
    const { headers, body } = readPart(part.replace(/^\r\n/, ''))
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    return { type, content: decode(body, headers.get('content-transfer-encoding') ?? '') }
  })
  return { to, raw, headers, parts }
}

function readPart(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const pairs = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(':')
    return [name.toLowerCase(), value.join(':').trim()]
  })
  return { headers: new Map(pairs), body: text.slice(end + 4) }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const joined = body.replace(/=\r\n/g, '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
