-- phase: expand
-- How long anonymous clients of an address range have run git since the window began. Every node adds to it.
create table anonymous_git_use (
  address_range text primary key,
  window_start timestamptz not null,
  used_ms bigint not null
);
create index anonymous_git_use_window on anonymous_git_use (window_start);
