-- phase: expand
-- An import whose source has reached its limit, or fails for a moment, waits as a job of later.
-- How often it was put off: these attempts do not count as failures.
alter table import add column postponed bigint not null default 0;
-- Failures of the source since the last page that was stored.
alter table import add column faults bigint not null default 0;
-- Until when it waits; null while it runs.
alter table import add column resumes_at timestamptz;

-- Where the source said that its next page is; empty if it did not say.
alter table import_page add column next_url text not null default '';
alter table import_page drop constraint import_page_kind_check;
alter table import_page add constraint import_page_kind_check check (kind in ('labels', 'milestones', 'issues',
  'comments', 'pulls', 'remarks', 'reviews', 'files')) not valid;
-- A page of reviews is that of one pull request from now on.
delete from import_page where kind = 'reviews';
