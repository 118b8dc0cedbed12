-- phase: expand
-- Objects of the store that no row names: they are deleted a day later. An object that is being stored for a row that is not
-- there yet has its row here first, which goes when it is named.
create table discarded_object (
  key text primary key,
  since timestamptz not null,
  -- Its bytes are being deleted: from now on nothing can name it.
  is_doomed boolean not null default false
);
create index discarded_object_since on discarded_object (since);
