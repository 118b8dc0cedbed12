-- phase: expand
-- What mail tells of: of pull requests, too.
alter table notification_mail drop constraint notification_mail_kind_check;
alter table notification_mail add constraint notification_mail_kind_check check (kind in ('created', 'commented',
  'closed', 'reopened', 'assigned', 'offered', 'pushed', 'ready', 'merged', 'review_requested', 'approved', 'rejected',
  'reviewed', 'review_dismissed')) not valid;
