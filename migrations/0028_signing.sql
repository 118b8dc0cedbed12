-- phase: expand
-- The key that the forge signs its own commits with: one for all nodes, made by whichever needs it first.
create table signing_key (
  -- There is one.
  is_only boolean primary key default true check (is_only),
  -- As `ssh-keygen` writes it, on one line.
  public_key text not null,
  fingerprint text not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);
