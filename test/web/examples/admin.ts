import type { Examples } from './example.ts'

export const admin: Examples = {
  '/-/admin': { address: () => '/-/admin', as: 'admin' },
  '/-/admin/monitor/cron': { address: () => '/-/admin/monitor/cron', as: 'admin' },
  '/-/admin/monitor/queue': { address: () => '/-/admin/monitor/queue', as: 'admin' },
  '/-/admin/monitor/clients': { address: () => '/-/admin/monitor/clients', as: 'admin' },
  '/-/admin/moderation': { address: () => '/-/admin/moderation', as: 'admin' },
  '/-/admin/config': { address: () => '/-/admin/config', as: 'admin' },
  '/-/admin/users': { address: () => '/-/admin/users', as: 'admin' },
  '/-/admin/users/new': { address: () => '/-/admin/users/new', as: 'admin' },
  '/-/admin/orgs': { address: () => '/-/admin/orgs', as: 'admin' },
  '/-/admin/repos': { address: () => '/-/admin/repos', as: 'admin' },
  '/-/admin/emails': { address: () => '/-/admin/emails', as: 'admin' },
  '/-/admin/hooks': { address: () => '/-/admin/hooks', as: 'admin' },
  '/-/admin/hooks/new': { address: () => '/-/admin/hooks/new', as: 'admin' },
  '/-/admin/actions/runners': { address: () => '/-/admin/actions/runners', as: 'admin' },
  '/-/admin/auths': { address: () => '/-/admin/auths', as: 'admin' },
  '/-/admin/auths/new': { address: () => '/-/admin/auths/new?type=ldap', as: 'admin' },
  '/-/admin/audit': { address: () => '/-/admin/audit', as: 'admin' },
  '/-/admin/auths/:id': { address: ({ sources }) => `/-/admin/auths/${sources.ldap}`, as: 'admin' },
  '/-/admin/users/:username': { address: () => '/-/admin/users/bob', as: 'admin' },
  '/-/admin/storage/:username': { address: () => '/-/admin/storage/bob', as: 'admin' },
  '/-/admin/hooks/:id': { address: ({ hooks }) => `/-/admin/hooks/${hooks.admin.id}`, as: 'admin' },
  '/-/admin/hooks/:id/deliveries/:delivery': {
    address: ({ hooks }) => `/-/admin/hooks/${hooks.admin.id}/deliveries/${hooks.admin.delivery}`,
    as: 'admin',
  },
}
