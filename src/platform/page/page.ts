/**
 * A page is data, like a route: its address, what it reads, what it shows, and the forms on it. It holds no rule of the
 * forge: what it reads and does are operations of the REST interface, asked in this process with the same access checks,
 * so a page can do nothing that the interface cannot. The HTTP edge serves pages as it serves routes.
 */
import type { Context } from '#platform/context'
import type { Problem } from '#platform/problem'
import type { Api, OperationId } from '#platform/rest'
import type { Fields } from './fields.ts'
import type { Html } from './html.ts'

/** Names in a path with `:`, and with `*` the rest of it. */
export type PathParams<Path extends string> = Path extends `${infer Step}/${infer Rest}`
  ? PathParams<Step> & PathParams<Rest>
  : Path extends `:${infer Name}`
    ? { readonly [K in Name]: string }
    : Path extends `*${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown

/** The session of a browser, as far as pages need to know it. */
export interface SessionFacts {
  readonly id: number
  /** Until then nobody is asked for the password again. */
  readonly elevatedUntil: Date | null
}

/** A form that was sent and failed: what was written stays on the page. */
export interface FailedForm {
  readonly form: string
  readonly fields: Fields
  readonly problem: Problem
}

export interface PageVisit<Params = unknown> extends Api {
  readonly ctx: Context
  readonly params: Params
  readonly query: URLSearchParams
  /** As it was asked for, without the query. */
  readonly path: string
  readonly session: SessionFacts | null
  /** What the browser was told to keep under this name; empty when it keeps nothing. */
  readonly cookie: (name: string) => string
  readonly requestId: string
  /** Who asks: their address and what they call their browser. */
  readonly from: { readonly address: string; readonly agent: string }
  readonly failed: FailedForm | null
}

/** The address that was asked for, with its query. */
export function addressOf({ path, query }: Pick<PageVisit, 'path' | 'query'>): string {
  return query.size === 0 ? path : `${path}?${query}`
}

/** What a page shows; the frame around it is the same everywhere. */
export interface Rendered {
  /** In the tab of the browser, before the name of the site. */
  readonly title: string
  readonly body: Html
  /** Links to feeds, the canonical address and such. */
  readonly head?: Html
  /** Names of files in `assets/islands` that this page needs besides those that all have. */
  readonly islands?: readonly string[]
  /** As wide as the window: reviews, logs and boards. */
  readonly isWide?: boolean
  readonly status?: number
  /** More sources for one directive of the policy, such as `form-action`. */
  readonly policy?: Readonly<Record<string, string>>
}

/** Where somebody is sent when a form was done. */
export interface RedirectTo {
  readonly to: string
  readonly cookies?: readonly Cookie[]
}

export interface Cookie {
  readonly name: string
  /** Empty: it is taken away. */
  readonly value: string
  readonly maxAgeS?: number
  /** The browser's scripts may read it: never for what proves anything. */
  readonly isReadable?: boolean
}

export interface FormVisit<Params = unknown> extends PageVisit<Params> {
  readonly fields: Fields
}

export interface Form<Params = unknown> {
  /** The operations by which it changes something; a word of its own for the few that are about the browser itself. */
  readonly does: readonly (OperationId | OwnVerb)[]
  /** Asks for the password again when that was long ago. */
  readonly isDangerous?: boolean
  /** Where the result is seen; the page itself when it shows something that is shown only once. */
  readonly handle: (visit: FormVisit<Params>) => Promise<string | RedirectTo | Rendered>
  /** What it asks of the interface, where `handle` does the same by other means. */
  readonly dryRun?: (visit: FormVisit<Params>) => Promise<unknown>
}

/** What browsers do and no other client does. `src/web/forms.test.ts` lists them. */
export type OwnVerb = `web:${string}`

interface PageSpec<Path extends string, View> {
  readonly path: Path
  /** Strangers are asked to sign in. */
  readonly requiresSignIn?: boolean
  readonly load: (visit: PageVisit<PathParams<Path>>) => Promise<View>
  /** Pure: what was loaded as HTML. */
  readonly show: (view: View, visit: PageVisit<PathParams<Path>>) => Rendered
  readonly forms?: Readonly<Record<string, Form<PathParams<Path>>>>
}

/** A page as the edge sees it, its types forgotten. */
export interface Page {
  readonly path: string
  readonly requiresSignIn: boolean
  readonly load: (visit: PageVisit) => Promise<unknown>
  readonly show: (view: unknown, visit: PageVisit) => Rendered
  readonly forms: Readonly<Record<string, Form>>
}

export function page<Path extends string, View>(spec: PageSpec<Path, View>): Page {
  return {
    path: spec.path,
    requiresSignIn: spec.requiresSignIn ?? false,
    // The router fills exactly the names that stand in the path.
    load: spec.load as unknown as Page['load'],
    show: spec.show as unknown as Page['show'],
    forms: (spec.forms ?? {}) as unknown as Page['forms'],
  }
}

/** Thrown by `load` and `open`: what was asked for is elsewhere. */
export class Redirect extends Error {
  readonly to: string
  readonly status: 301 | 302 | 303

  constructor(to: string, status: 301 | 302 | 303 = 302) {
    super(`is at ${to}`)
    this.to = to
    this.status = status
  }
}

/** All pages of the forge, and what is the same around each of them. */
export interface Web {
  readonly pages: readonly Page[]
  /** The document around what a page shows. */
  frame(visit: PageVisit, shown: Rendered): Promise<Html>
  /** What a problem looks like. For whoever was about to send something, with what they were about to send. */
  problem(visit: PageVisit, problem: Problem, kept: Fields | null): Rendered
  /** Asks for the password before a dangerous form is done. */
  elevation(visit: PageVisit, kept: Fields, isWrong: boolean): Rendered
  /** What a form would do, as commands for a shell. */
  curl(visit: PageVisit, commands: string): Rendered
}
