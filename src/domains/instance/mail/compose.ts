/** A letter as the bytes that SMTP carries. Pure. */
export interface Letter {
  readonly from: Person
  readonly to: Person
  readonly subject: string
  readonly text: string
  /** Null when there is only text. */
  readonly html: string | null
  /** Without angle brackets. The same for every try, so that whoever has a letter twice can tell. */
  readonly messageId: string
  /** What it answers: mail programs join letters by it. */
  readonly inReplyTo: string | null
  readonly at: Date
  readonly headers: Readonly<Record<string, string>>
}

interface Person {
  readonly name: string
  readonly address: string
}

/** In characters, of a subject or a name. */
const LINE_MAX = 500

export async function compose(letter: Letter): Promise<Buffer> {
  // Loaded with the first letter: where no mail is sent, nobody pays for it.
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
    // A letter is what is in it: nothing is read or fetched for one.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function named({ name, address }: Person): Person {
  return { name: oneLine(name), address: oneLine(address) }
}

/** Invariant: what people wrote cannot end a header and begin another. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .slice(0, LINE_MAX)
    .toWellFormed()
}
