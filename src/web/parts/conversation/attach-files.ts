/** Files of a text that was just sent: attached to it, and their addresses put where the text names them. */
import { Readable } from 'node:stream'
import type { FormVisit } from '#platform/page'
import type { Attachment } from '../../gen/contract.ts'

interface Upload {
  readonly name: string
  readonly content: Readable
}

interface SentText {
  readonly text: string
  readonly attach: (file: Upload) => Promise<Attachment>
  readonly setText: (text: string) => Promise<unknown>
}

/** The island of the composer writes `[name](attachment:name)` for a file that is pasted or dropped. */
export async function attachFiles({ fields, ctx }: FormVisit, sent: SentText): Promise<void> {
  let { text } = sent
  for (const { name, bytes } of fields.files('files')) {
    const made = await sent.attach({ name, content: Readable.from([bytes]) })
    if (!ctx.isDryRun) text = text.replaceAll(`](attachment:${name})`, `](${made.browser_download_url})`)
  }
  if (text !== sent.text) await sent.setText(text)
}
