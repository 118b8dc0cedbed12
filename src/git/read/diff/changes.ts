/** The files that a commit or a comparison changes, parsed from git's `-z --raw` and `--numstat` output. */
export interface ChangedFile {
  readonly path: string
  /** The former path of a renamed or copied file. */
  readonly oldPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  readonly oldMode: string
  readonly mode: string
  /** All zeros where there is no object. */
  readonly oldOid: string
  readonly oid: string
  /** Null when lines were not counted. */
  readonly additions: number | null
  readonly deletions: number | null
  readonly isBinary: boolean
}

export interface Stats {
  readonly additions: number
  readonly deletions: number
  readonly files: number
}

const RAW = /^\n?:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/
const NUMSTAT = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s
const STATUSES: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
}

/** Names still to be read, and the function to call with them. */
interface Waiting {
  readonly names: string[]
  readonly wanted: number
  readonly use: (names: string[]) => void
}

/** Consumes the NUL-separated pieces one by one. Files above the limit are counted, not kept. */
export class ChangeCollector {
  readonly files = new Map<string, ChangedFile>()
  private readonly filesMax: number
  private waiting: Waiting | undefined
  private additions = 0
  private deletions = 0
  private rawCount = 0
  private numstatCount = 0

  constructor(filesMax: number) {
    this.filesMax = filesMax
  }

  /** Whether the next piece is a name, whatever it looks like. */
  get isWaiting(): boolean {
    return this.waiting !== undefined
  }

  get stats(): Stats {
    return { additions: this.additions, deletions: this.deletions, files: this.count }
  }

  get isTruncated(): boolean {
    return this.count > this.filesMax
  }

  add(piece: string): void {
    const raw = RAW.exec(piece)
    if (this.waiting !== undefined) this.addName(piece, this.waiting)
    else if (raw !== null) this.expectRaw(raw)
    else this.addNumstat(piece)
  }

  private addNumstat(piece: string): void {
    const [, additions, deletions, name = ''] = NUMSTAT.exec(piece) ?? []
    if (additions === undefined || deletions === undefined) return
    const use = (names: string[]) => this.addCounts(names.at(-1) ?? '', additions, deletions)
    // An empty name is followed by two: old path, new path.
    if (name === '') this.waiting = { names: [], wanted: 2, use }
    else use([name])
  }

  private get count(): number {
    return Math.max(this.rawCount, this.numstatCount)
  }

  private addName(name: string, waiting: Waiting): void {
    waiting.names.push(name)
    if (waiting.names.length < waiting.wanted) return
    this.waiting = undefined
    waiting.use(waiting.names)
  }

  private expectRaw([, oldMode = '', mode = '', oldOid = '', oid = '', letter = '']: RegExpExecArray): void {
    const status = STATUSES[letter] ?? 'modified'
    const hasMoved = status === 'renamed' || status === 'copied'
    const use = (names: string[]) => {
      this.rawCount += 1
      if (this.rawCount > this.filesMax) return
      const path = names.at(-1) ?? ''
      const oldPath = hasMoved ? (names[0] ?? null) : null
      const counts = { additions: null, deletions: null, isBinary: false }
      this.files.set(path, { path, oldPath, status, oldMode, mode, oldOid, oid, ...counts })
    }
    this.waiting = { names: [], wanted: hasMoved ? 2 : 1, use }
  }

  /** Git prints «-» where it does not count lines. */
  private addCounts(path: string, additions: string, deletions: string): void {
    this.numstatCount += 1
    const isBinary = additions === '-'
    const counts = {
      additions: isBinary ? 0 : Number(additions),
      deletions: isBinary ? 0 : Number(deletions),
    }
    this.additions += counts.additions
    this.deletions += counts.deletions
    const file = this.files.get(path)
    if (file !== undefined) this.files.set(path, { ...file, ...counts, isBinary })
  }
}
