/** Patterns that users write, matched in bounded time: globs, and the state machine that other patterns are built on. */
export { findGlob, globOf, isPattern } from './glob.ts'
export { ANY, machineOf, one, optional, repeat, row, type Shape, type Test } from './machine.ts'
