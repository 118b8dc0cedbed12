-- phase: expand
-- Open invitations to the forge itself are listed for administrators, newest first.
create index invitation_open on invitation (id) where team_id is null and accepted_at is null;
