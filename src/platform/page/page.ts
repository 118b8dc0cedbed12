/**
 * A page is data, like a route: its address, what it loads, what it shows, and its forms. It contains no rule of the
 * forge: it reads and writes by operations of the REST API, called in this process with the same access checks, so a page
 * can do nothing that the API cannot. The HTTP edge serves pages as it serves routes.
 */
import type { Context } from '#platform/context'
import type { Problem } from '#platform/problem'
import type { Api, OperationId } from '#platform/rest'
import type { Fields } from './fields.ts'
import type { Html } from './html.ts'
import type { Language } from './language.ts'

/** Parameters of a path: `:name`, and `*name` for its rest. */
export type PathParams<Path extends string> = Path extends `${infer Step}/${infer Rest}`
  ? PathParams<Step> & PathParams<Rest>
  : Path extends `:${infer Name}`
    ? { readonly [K in Name]: string }
    : Path extends `*${infer Name}`
      ? { readonly [K in Name]: string }
      : unknown

/** The facts of a browser session that pages need. */
export interface SessionFacts {
  readonly id: number
  /** Until then the password is not requested again. */
  readonly elevatedUntil: Date | null
  /** As set in the account; empty if it has none. */
  readonly language: string
}

/** A submitted form that failed: its fields stay filled in. */
export interface FailedForm {
  readonly form: string
  readonly fields: Fields
  readonly problem: Problem
}

export interface PageVisit<Params = unknown> extends Api {
  readonly ctx: Context
  readonly params: Params
  readonly query: URLSearchParams
  /** The requested path, without the query. */
  readonly path: string
  readonly session: SessionFacts | null
  /** The value of a cookie; empty when there is none. */
  readonly cookie: (name: string) => string
  readonly requestId: string
  /** IP address and User-Agent of the client. */
  readonly from: { readonly address: string; readonly agent: string }
  readonly failed: FailedForm | null
}

/** The requested address, with its query. */
export function addressOf({ path, query }: Pick<PageVisit, 'path' | 'query'>): string {
  return query.size === 0 ? path : `${path}?${query}`
}

/** What a page shows; the frame around it is the same everywhere. */
export interface Rendered {
  /** In the browser tab, before the name of the site. */
  readonly title: string
  /** For previews of links to the page: plain text of any length. */
  readonly description?: string
  readonly body: Html
  /** Links to feeds, the canonical address and the like. */
  readonly head?: Html
  /** Files in `assets/islands` that this page needs besides the common ones. */
  readonly islands?: readonly string[]
  /** `owner/name` of the repository that the search field in the bar can search. */
  readonly searchIn?: string
  /** As wide as the window: reviews, logs and boards. */
  readonly isWide?: boolean
  readonly status?: number
  /** Its address names full object ids, so shared caches may keep it for anonymous clients. */
  readonly isFixed?: boolean
  /** More sources for one directive of the Content-Security-Policy, such as `form-action`. */
  readonly policy?: Readonly<Record<string, string>>
}

/** Redirect target after a form. */
export interface RedirectTo {
  readonly to: string
  readonly cookies?: readonly Cookie[]
}

export interface Cookie {
  readonly name: string
  /** Empty: the cookie is deleted. */
  readonly value: string
  readonly maxAgeS?: number
  /** Scripts may read it: never for credentials. */
  readonly isReadable?: boolean
}

export interface FormVisit<Params = unknown> extends PageVisit<Params> {
  readonly fields: Fields
}

export interface Form<Params = unknown> {
  /** The operations that make the changes; an `OwnVerb` for the few forms that only concern the browser. */
  readonly does: readonly (OperationId | OwnVerb)[]
  /** Requires a recently entered password. */
  readonly isDangerous?: boolean
  /** Returns a redirect target, or what to show when the result is shown only once. */
  readonly handle: (visit: FormVisit<Params>) => Promise<string | RedirectTo | Rendered>
  /** The equivalent API calls, where `handle` does the same by other means. */
  readonly dryRun?: (visit: FormVisit<Params>) => Promise<unknown>
}

/** Actions that only browsers perform. `src/web/forms.test.ts` lists them. */
export type OwnVerb = `web:${string}`

interface PageSpec<Path extends string, View> {
  readonly path: Path
  /** Anonymous visitors are redirected to the sign-in page. */
  readonly requiresSignIn?: boolean
  /** Operations that change something when the page is opened: identity providers redirect browsers to it. */
  readonly changes?: readonly OperationId[]
  readonly load: (visit: PageVisit<PathParams<Path>>) => Promise<View>
  /** Pure: renders the loaded data as HTML. */
  readonly show: (view: View, visit: PageVisit<PathParams<Path>>) => Rendered
  readonly forms?: Readonly<Record<string, Form<PathParams<Path>>>>
}

/** A page as the HTTP edge sees it, with its types erased. */
export interface Page {
  readonly path: string
  readonly requiresSignIn: boolean
  readonly changes: readonly OperationId[]
  readonly load: (visit: PageVisit) => Promise<unknown>
  readonly show: (view: unknown, visit: PageVisit) => Rendered
  readonly forms: Readonly<Record<string, Form>>
}

export function page<Path extends string, View>(spec: PageSpec<Path, View>): Page {
  return {
    path: spec.path,
    requiresSignIn: spec.requiresSignIn ?? false,
    changes: spec.changes ?? [],
    // The router provides exactly the parameters of the path.
    load: spec.load as unknown as Page['load'],
    show: spec.show as unknown as Page['show'],
    forms: (spec.forms ?? {}) as unknown as Page['forms'],
  }
}

/** Thrown by `load` and `open`: the resource is at another address. */
export class Redirect extends Error {
  readonly to: string
  readonly status: 301 | 302 | 303
  readonly cookies: readonly Cookie[]

  constructor(to: string, status: 301 | 302 | 303 = 302, cookies: readonly Cookie[] = []) {
    super(`is at ${to}`)
    this.to = to
    this.status = status
    this.cookies = cookies
  }
}

/** All pages of the forge, and what they have in common. */
export interface Web {
  readonly pages: readonly Page[]
  /** The first is the default. */
  readonly languages: readonly Language[]
  /** The document around a page. */
  frame(visit: PageVisit, shown: Rendered): Promise<Html>
  /** The page for a problem; `kept` are the fields that the visitor was about to submit. */
  problem(visit: PageVisit, problem: Problem, kept: Fields | null): Rendered
  /** Requests the password before a dangerous form is handled. */
  elevation(visit: PageVisit, kept: Fields, isWrong: boolean): Rendered
  /** What a form would do, as curl commands. */
  curl(visit: PageVisit, commands: string): Rendered
}
