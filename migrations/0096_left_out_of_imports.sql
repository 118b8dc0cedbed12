-- phase: expand
-- Collaborators and protections of the source that an import did not take over, for its report.
alter table import add column left_out jsonb;
