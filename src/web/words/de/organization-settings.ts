export * from '../en/organization-settings.ts'
