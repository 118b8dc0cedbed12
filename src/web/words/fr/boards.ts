export * from '../en/boards.ts'
