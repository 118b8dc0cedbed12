/** Random changes to a request: bits flip, pieces vanish, repeat, or grow. */
import type { Dice } from '../chaos/dice.ts'

type Mutation = (dice: Dice, bytes: Buffer) => Buffer

const HEX = '0123456789abcdef'
/** Words with a meaning to some parser on the way. */
const WORDS = [
  '0000',
  '0001',
  '0002',
  '0004',
  'ffff',
  '\0',
  '\n',
  '..',
  '.git',
  '--',
  'PACK',
  'want ',
  'done\n',
]
const GROWTH_BYTES_MAX = 100_000

const MUTATIONS: readonly Mutation[] = [
  flip,
  overwrite,
  cutEnd,
  cutMiddle,
  repeat,
  insertWord,
  grow,
  changeDigit,
]

export function mutate(dice: Dice, bytes: Buffer): Buffer {
  let mutated = bytes
  for (let rounds = 1 + dice.below(3); rounds > 0; rounds--) mutated = dice.pick(MUTATIONS)(dice, mutated)
  return mutated
}

function flip(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let bits = 1 + dice.below(8); bits > 0; bits--) {
    const at = dice.below(copy.length + 1)
    if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << dice.below(8))
  }
  return copy
}

function overwrite(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const { from, to } = piece(dice, copy, 64)
  for (let at = from; at < to; at++) copy[at] = dice.below(256)
  return copy
}

function cutEnd(dice: Dice, bytes: Buffer): Buffer {
  return bytes.subarray(0, dice.below(bytes.length + 1))
}

function cutMiddle(dice: Dice, bytes: Buffer): Buffer {
  const { from, to } = piece(dice, bytes, bytes.length)
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
}

function repeat(dice: Dice, bytes: Buffer): Buffer {
  const { from, to } = piece(dice, bytes, 1_000)
  const again = Array<Buffer>(1 + dice.below(100)).fill(bytes.subarray(from, to))
  return Buffer.concat([bytes.subarray(0, to), ...again, bytes.subarray(to)])
}

function insertWord(dice: Dice, bytes: Buffer): Buffer {
  return insert(dice, bytes, Buffer.from(dice.pick(WORDS)))
}

function grow(dice: Dice, bytes: Buffer): Buffer {
  return insert(dice, bytes, Buffer.alloc(1 + dice.below(GROWTH_BYTES_MAX), dice.below(256)))
}

/** Lengths and object ids are hexadecimal. */
function changeDigit(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const start = dice.below(copy.length + 1)
  const at = copy.findIndex((byte, i) => i >= start && HEX.includes(String.fromCharCode(byte)))
  if (at >= 0) copy.write(HEX[dice.below(HEX.length)] ?? '0', at)
  return copy
}

function insert(dice: Dice, bytes: Buffer, word: Buffer): Buffer {
  const at = dice.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), word, bytes.subarray(at)])
}

function piece(dice: Dice, bytes: Buffer, longest: number): { from: number; to: number } {
  const from = dice.below(bytes.length + 1)
  return { from, to: Math.min(bytes.length, from + dice.below(longest + 1)) }
}
