-- phase: expand
-- News of pull requests. What mail tells of:
alter table notification_mail drop constraint notification_mail_kind_check;
alter table notification_mail add constraint notification_mail_kind_check check (kind in ('created', 'commented',
  'closed', 'reopened', 'assigned', 'offered', 'pushed', 'ready', 'merged', 'review_requested', 'approved', 'rejected',
  'reviewed', 'review_dismissed')) not valid;

-- Imports write down pull requests and their reviews, too.
alter table import_page drop constraint import_page_kind_check;
alter table import_page add constraint import_page_kind_check check (kind in ('labels', 'milestones', 'issues',
  'comments', 'pulls', 'reviews')) not valid;
