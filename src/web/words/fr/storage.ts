export * from '../en/storage.ts'
