export * from '../en/undo.ts'
