export * from '../en/code.ts'
