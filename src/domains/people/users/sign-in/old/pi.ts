/** The binary digits of pi, which Blowfish starts with. Machin's formula: pi = 16 arctan(1/5) - 4 arctan(1/239). */

const WORD_BITS = 32
/** More than the rounding errors of all terms. */
const GUARD_BITS = 64

/** The first words after the point. */
export function fractionOfPi(words: number): Int32Array {
  const bits = BigInt(words * WORD_BITS)
  const one = 1n << (bits + BigInt(GUARD_BITS))
  const pi = 16n * arctanOfInverse(5n, one) - 4n * arctanOfInverse(239n, one)
  const fraction = (pi >> BigInt(GUARD_BITS)) & ((1n << bits) - 1n)
  const bytes = Buffer.from(fraction.toString(16).padStart(words * 8, '0'), 'hex')
  return Int32Array.from({ length: words }, (_, i) => bytes.readInt32BE(i * 4))
}

function arctanOfInverse(x: bigint, one: bigint): bigint {
  const square = x * x
  let power = one / x
  let sum = power
  for (let n = 3n, sign = -1n; power !== 0n; n += 2n, sign = -sign) {
    power /= square
    sum += sign * (power / n)
  }
  return sum
}
