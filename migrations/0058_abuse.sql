-- phase: expand
-- What clients asked for in the ten minutes that begin at `since`. Every process adds to it; rows are kept for an hour.
create table client_use (
  since timestamptz not null,
  lane text not null,
  client text not null,
  route text not null,
  requests bigint not null,
  refused bigint not null,
  git_ms bigint not null,
  primary key (since, lane, client, route)
);
