export * from '../en/turns.ts'
