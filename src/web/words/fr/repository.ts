export * from '../en/repository.ts'
