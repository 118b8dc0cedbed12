/** Detects the type and dimensions of an image from its first bytes. */
export interface ImageKind {
  readonly type: 'image/png' | 'image/gif' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
}

/** undefined for any format other than these four. */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  try {
    return png(bytes) ?? gif(bytes) ?? jpeg(bytes) ?? webp(bytes)
  } catch (error) {
    // The bytes ended before the dimensions.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

function png(bytes: Buffer): ImageKind | undefined {
  if (!bytes.subarray(0, PNG.length).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gif(bytes: Buffer): ImageKind | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** A sequence of segments with lengths; a start-of-frame segment has the dimensions. */
function jpeg(bytes: Buffer): ImageKind | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; ; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined
    const marker = bytes.readUInt8(at + 1)
    if (isFrame(marker))
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function webp(bytes: Buffer): ImageKind | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const size = webpSize(bytes, bytes.toString('latin1', 12, 16))
  return size === undefined ? undefined : { type: 'image/webp', ...size }
}

function webpSize(bytes: Buffer, chunk: string): { width: number; height: number } | undefined {
  if (chunk === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (chunk !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
