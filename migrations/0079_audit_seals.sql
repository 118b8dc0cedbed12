-- phase: expand
-- Each seal authenticates the records of a range of ids and the seal before it.
create table audit_seal (
  id bigint generated always as identity primary key,
  from_id bigint not null,
  to_id bigint not null unique,
  records bigint not null,
  mac text not null,
  -- Set when the records up to this seal have expired: the chain begins after it.
  anchor_mac text,
  sealed_at timestamptz not null
);

-- One row: the sealed key, and the range that is closed once all transactions below this xid have ended.
create table audit_chain (
  is_only boolean primary key check (is_only),
  key text not null,
  closing_id bigint not null,
  closing_xid xid8 not null
);
