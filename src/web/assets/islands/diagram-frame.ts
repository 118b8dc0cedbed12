/**
 * The script of the sandboxed frame that draws diagrams: it gets a text and sends back a picture. A classic script, because
 * an opaque origin may not load modules.
 */
{
  interface Mermaid {
    initialize(settings: object): void
    render(id: string, text: string): Promise<{ svg: string }>
  }
  interface Wanted {
    readonly id: number
    readonly text: string
    readonly isDark: boolean
  }

  const TEXT_MAX = 20_000
  const EDGES_MAX = 500
  const PICTURE_MAX = 2_000_000
  /** Settings that a text cannot change. */
  const secure = [
    ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering'],
    ...['htmlLabels', 'themeCSS', 'fontFamily', 'theme', 'darkMode', 'logLevel', 'layout'],
  ]

  const mermaid = (globalThis as unknown as { mermaid: Mermaid }).mermaid

  const draw = async ({ id, text, isDark }: Wanted): Promise<string> => {
    // Mermaid would draw a picture that says so.
    if (text.length > TEXT_MAX) throw new Error(`more than ${TEXT_MAX} characters`)
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      suppressErrorRendering: true,
      maxTextSize: TEXT_MAX,
      maxEdges: EDGES_MAX,
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      theme: isDark ? 'dark' : 'default',
      fontFamily: 'system-ui, sans-serif',
      logLevel: 'fatal',
      secure,
    })
    const { svg } = await mermaid.render(`diagram-${id}`, text)
    const drawn = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
    if (!drawn) throw new Error('no picture')
    // As wide as it was drawn, where Mermaid says «as wide as the page».
    const { width, height } = drawn.viewBox.baseVal
    drawn.setAttribute('width', `${Math.ceil(width)}`)
    drawn.setAttribute('height', `${Math.ceil(height)}`)
    drawn.style.maxWidth = ''
    const picture = new XMLSerializer().serializeToString(drawn)
    if (picture.length > PICTURE_MAX) throw new Error('too large')
    return picture
  }

  addEventListener('message', ({ source, data }: MessageEvent<Wanted>) => {
    if (source !== parent) return
    draw(data).then(
      (picture) => parent.postMessage({ id: data.id, picture }, '*'),
      (error: Error) => parent.postMessage({ id: data.id, failure: String(error.message) }, '*'),
    )
  })
}
