/** Worker thread that parses the YAML of issue templates. */
import { answerOrders } from '#platform/thread'
import { readConfig } from './config-file.ts'
import type { ReadConfig } from './files.ts'
import { type IssueTemplate, readTemplate } from './template.ts'

export type FileOrder =
  | { readonly kind: 'template'; readonly path: string; readonly text: string }
  | { readonly kind: 'config'; readonly text: string }

/** Empty if the file is no template. */
export interface FileRead {
  readonly template?: IssueTemplate | undefined
  readonly config?: ReadConfig
}

answerOrders(
  (order: FileOrder): FileRead =>
    order.kind === 'config'
      ? { config: readConfig(order.text) }
      : { template: readTemplate(order.path, order.text) },
)
