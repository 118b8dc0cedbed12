import type { Examples } from './example.ts'

export const settings: Examples = {
  '/user/settings': { address: () => '/user/settings', as: 'ann' },
  '/user/settings/appearance': { address: () => '/user/settings/appearance', as: 'ann' },
  '/user/settings/notifications': { address: () => '/user/settings/notifications', as: 'ann' },
  '/user/settings/account': { address: () => '/user/settings/account', as: 'ann' },
  '/user/settings/applications': { address: () => '/user/settings/applications', as: 'ann' },
  '/user/settings/applications/oauth2/:id': {
    // After the three applications of the forge itself.
    address: () => '/user/settings/applications/oauth2/4',
    as: 'ann',
  },
  '/user/settings/applications/tokens/:token': {
    address: () => '/user/settings/applications/tokens/deploy',
    as: 'ann',
  },
  '/user/settings/keys': { address: () => '/user/settings/keys', as: 'ann' },
  '/user/settings/organization': { address: () => '/user/settings/organization', as: 'ann' },
  '/user/settings/repos': { address: () => '/user/settings/repos', as: 'ann' },
  '/user/settings/packages': { address: () => '/user/settings/packages', as: 'ann' },
  '/user/settings/storage': { address: () => '/user/settings/storage', as: 'ann' },
  '/user/settings/blocked_users': { address: () => '/user/settings/blocked_users', as: 'ann' },
  '/user/settings/hooks': { address: () => '/user/settings/hooks', as: 'ann' },
  '/user/settings/hooks/new': { address: () => '/user/settings/hooks/new', as: 'ann' },
  '/user/settings/actions/secrets': { address: () => '/user/settings/actions/secrets', as: 'ann' },
  '/user/settings/actions/variables': { address: () => '/user/settings/actions/variables', as: 'ann' },
  '/user/settings/actions/runners': { address: () => '/user/settings/actions/runners', as: 'ann' },
  '/user/settings/hooks/:id': { address: ({ hooks }) => `/user/settings/hooks/${hooks.user.id}`, as: 'ann' },
  '/user/settings/hooks/:id/deliveries/:delivery': {
    address: ({ hooks }) => `/user/settings/hooks/${hooks.user.id}/deliveries/${hooks.user.delivery}`,
    as: 'ann',
  },
  '/org/:org/settings': { address: () => '/org/smithy/settings', as: 'ann' },
  '/org/:org/settings/labels': { address: () => '/org/smithy/settings/labels', as: 'ann' },
  '/org/:org/settings/service_accounts': {
    address: () => '/org/smithy/settings/service_accounts',
    as: 'ann',
  },
  '/org/:org/settings/service_accounts/:username': {
    address: () => '/org/smithy/settings/service_accounts/smithy-ci',
    as: 'ann',
  },
  '/org/:org/settings/audit': { address: () => '/org/smithy/settings/audit', as: 'ann' },
  '/org/:org/settings/storage': { address: () => '/org/smithy/settings/storage', as: 'ann' },
  '/org/:org/settings/blocked_users': { address: () => '/org/smithy/settings/blocked_users', as: 'ann' },
  '/org/:org/settings/hooks': { address: () => '/org/smithy/settings/hooks', as: 'ann' },
  '/org/:org/settings/hooks/new': { address: () => '/org/smithy/settings/hooks/new', as: 'ann' },
  '/org/:org/settings/actions/secrets': { address: () => '/org/smithy/settings/actions/secrets', as: 'ann' },
  '/org/:org/settings/actions/variables': {
    address: () => '/org/smithy/settings/actions/variables',
    as: 'ann',
  },
  '/org/:org/settings/actions/runners': { address: () => '/org/smithy/settings/actions/runners', as: 'ann' },
  '/org/:org/settings/hooks/:id': {
    address: ({ hooks }) => `/org/smithy/settings/hooks/${hooks.org.id}`,
    as: 'ann',
  },
  '/org/:org/settings/hooks/:id/deliveries/:delivery': {
    address: ({ hooks }) => `/org/smithy/settings/hooks/${hooks.org.id}/deliveries/${hooks.org.delivery}`,
    as: 'ann',
  },
  '/:owner/:repo/settings': { address: () => '/ann/furnace/settings', as: 'ann' },
  '/:owner/:repo/settings/interaction_limits': {
    address: () => '/ann/furnace/settings/interaction_limits',
    as: 'ann',
  },
  '/:owner/:repo/settings/collaboration': { address: () => '/ann/furnace/settings/collaboration', as: 'ann' },
  '/:owner/:repo/settings/keys': { address: () => '/ann/furnace/settings/keys', as: 'ann' },
  '/:owner/:repo/settings/branches': { address: () => '/ann/furnace/settings/branches', as: 'ann' },
  '/:owner/:repo/settings/tags': { address: () => '/ann/furnace/settings/tags', as: 'ann' },
  '/:owner/:repo/settings/mirrors': { address: () => '/ann/furnace/settings/mirrors', as: 'ann' },
  '/:owner/:repo/settings/hooks': { address: () => '/ann/furnace/settings/hooks', as: 'ann' },
  '/:owner/:repo/settings/hooks/new': { address: () => '/ann/furnace/settings/hooks/new', as: 'ann' },
  '/:owner/:repo/settings/actions/secrets': {
    address: () => '/ann/furnace/settings/actions/secrets',
    as: 'ann',
  },
  '/:owner/:repo/settings/actions/variables': {
    address: () => '/ann/furnace/settings/actions/variables',
    as: 'ann',
  },
  '/:owner/:repo/settings/actions/runners': {
    address: () => '/ann/furnace/settings/actions/runners',
    as: 'ann',
  },
  '/:owner/:repo/settings/branches/edit': {
    address: () => '/ann/furnace/settings/branches/edit?rule_name=release%2F*',
    as: 'ann',
  },
  '/:owner/:repo/settings/hooks/:id': {
    address: ({ hooks }) => `/ann/furnace/settings/hooks/${hooks.repo.id}`,
    as: 'ann',
  },
  '/:owner/:repo/settings/hooks/:id/deliveries/:delivery': {
    address: ({ hooks }) => `/ann/furnace/settings/hooks/${hooks.repo.id}/deliveries/${hooks.repo.delivery}`,
    as: 'ann',
  },
}
