-- phase: expand
-- The name of an imported release's author at the source; empty for releases of accounts here.
alter table release add column original_author text not null default '';
