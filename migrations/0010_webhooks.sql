-- phase: expand
-- Webhooks: who wants to be told, what they are told, and what came of telling them.
create table webhook (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('repository', 'owner', 'system', 'default')),
  repository_id bigint references repository (id) on delete cascade,
  -- An organization or a person: told of all that happens in their repositories.
  owner_id bigint references account (id) on delete cascade,
  type text not null,
  name text not null default '',
  url text not null,
  content_type text not null check (content_type in ('json', 'form')),
  -- Sealed; empty when there is none.
  sealed_secret text not null default '',
  sealed_authorization text not null default '',
  events text[] not null,
  branch_filter text not null default '',
  -- What only some types have: channel, name and color of a chat.
  settings jsonb not null default '{}',
  is_active boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((scope = 'repository') = (repository_id is not null)),
  check ((scope = 'owner') = (owner_id is not null))
);
create index webhook_repository on webhook (repository_id, id) where repository_id is not null;
create index webhook_owner on webhook (owner_id, id) where owner_id is not null;
create index webhook_site on webhook (scope, id) where repository_id is null and owner_id is null;

-- What is told: one row, however many are told it. Its body is written once, soon after, and never changes.
create table webhook_payload (
  id bigint generated always as identity primary key,
  type text not null,
  facts jsonb not null,
  body text,
  created_at timestamptz not null
);
create index webhook_payload_created on webhook_payload (created_at, id);

create table webhook_delivery (
  id bigint generated always as identity primary key,
  -- What the receiver knows it by, the same in every attempt.
  uuid uuid not null,
  webhook_id bigint not null references webhook (id) on delete cascade,
  payload_id bigint not null references webhook_payload (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  is_redelivery boolean not null default false,
  attempts bigint not null default 0,
  -- When it is tried next, and until when it is tried at all.
  next_at timestamptz not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  attempted_at timestamptz,
  finished_at timestamptz,
  -- Of the last attempt.
  request jsonb,
  answer jsonb,
  duration_ms bigint,
  error text not null default ''
);
create index webhook_delivery_history on webhook_delivery (webhook_id, id);
create index webhook_delivery_payload on webhook_delivery (payload_id);
create index webhook_delivery_due on webhook_delivery (webhook_id, next_at, id) where state = 'waiting';

-- Hooks and hosts that failed in a row: from some number on they rest, and what is meant for them waits.
create table webhook_circuit (
  key text primary key,
  failures bigint not null,
  open_until timestamptz,
  updated_at timestamptz not null
);
create index webhook_circuit_updated on webhook_circuit (updated_at);
