/** Composes a mail as the bytes for SMTP. Pure. */
export interface Letter {
  readonly from: Person
  readonly to: Person
  readonly subject: string
  readonly text: string
  /** Null for a text-only mail. */
  readonly html: string | null
  /** Without angle brackets. The same for every attempt, so that receivers can detect duplicates. */
  readonly messageId: string
  /** The message id of the parent mail, for threading. */
  readonly inReplyTo: string | null
  readonly at: Date
  readonly headers: Readonly<Record<string, string>>
}

interface Person {
  readonly name: string
  readonly address: string
}

/** In characters, for a subject or a name. */
const LINE_MAX = 500

export async function compose(letter: Letter): Promise<Buffer> {
  // Loaded with the first mail, which saves memory where no mail is sent.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: named(letter.from),
    to: named(letter.to),
    subject: oneLine(letter.subject),
    text: letter.text,
    ...(letter.html !== null && { html: letter.html }),
    messageId: `<${oneLine(letter.messageId)}>`,
    ...(letter.inReplyTo !== null && {
      inReplyTo: `<${oneLine(letter.inReplyTo)}>`,
      references: `<${oneLine(letter.inReplyTo)}>`,
    }),
    date: letter.at,
    headers: Object.entries(letter.headers).map(([key, value]) => ({ key, value: oneLine(value) })),
    // Content must not read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function named({ name, address }: Person): Person {
  return { name: oneLine(name), address: oneLine(address) }
}

/** Invariant: text of users cannot end a header and begin another. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, LINE_MAX)
    .toWellFormed()
}
