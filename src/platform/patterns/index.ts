/** Patterns that users write, held against names in bounded time: globs, and the machine that other patterns are made of. */
export { findGlob, globOf, isPattern } from './glob.ts'
export { ANY, machineOf, one, optional, repeat, row, type Shape, type Test } from './machine.ts'
