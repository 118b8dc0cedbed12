/** A minimal browser: keeps cookies, does not follow redirects, submits forms as browsers do. */
export interface Sheet {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export class Browser {
  readonly #base: () => string
  readonly cookies = new Map<string, string>()

  /** Sends requests to each node in turn, as `Forge.call` does. */
  constructor(base: () => string) {
    this.#base = base
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Sheet> {
    return this.#send(path, { headers: { accept: 'text/html', ...headers } })
  }

  /** Submits the form of this name on the page at this path. */
  submit(
    path: string,
    form: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Record<string, string> = {},
  ): Promise<Sheet> {
    const body = new URLSearchParams({ form })
    for (const [name, value] of Object.entries(fields))
      for (const it of typeof value === 'string' ? [value] : value) body.append(name, it)
    return this.#send(path, {
      method: 'POST',
      body,
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  /** Sends a POST as a page's scripts do. */
  post(path: string, body: URLSearchParams, headers: Record<string, string> = {}): Promise<Sheet> {
    return this.#send(path, {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Sheet> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.#base() + path, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie !== '' && { cookie }) },
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}
