export * from '../en/time.ts'
