-- phase: expand
-- One row: the id of the object store that the rows of this database name, and a text that only the forge's encryption
-- keys open. Nodes compare both before they serve.
create table forge_identity (
  is_only boolean primary key default true check (is_only),
  store_id uuid not null,
  canary text not null
);
