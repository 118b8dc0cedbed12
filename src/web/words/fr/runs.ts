export * from '../en/runs.ts'
