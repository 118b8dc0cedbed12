export * from '../en/releases.ts'
