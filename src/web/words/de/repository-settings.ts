export * from '../en/repository-settings.ts'
