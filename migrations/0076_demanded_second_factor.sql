-- phase: expand
-- Whether a user has a second factor: loaded with the account by every request. Triggers maintain it, because the factors
-- are rows of two slices.
alter table account add column has_second_factor boolean not null default false;
-- Of an organization: members without a second factor get nothing from their membership and teams.
alter table account add column requires_second_factor boolean not null default false;

create function note_second_factor() returns trigger language plpgsql as $$
declare
  changed bigint := case tg_op when 'DELETE' then old.account_id else new.account_id end;
begin
  -- Locks the account, so that of two concurrent changes the second sees the first.
  perform 1 from account where id = changed for no key update;
  update account set has_second_factor =
    exists (select 1 from account_totp where account_id = changed)
    or exists (select 1 from passkey where account_id = changed)
  where id = changed;
  return null;
end
$$;

create trigger second_factor_changed after insert or delete on account_totp
  for each row execute function note_second_factor();
create trigger second_factor_changed after insert or delete on passkey
  for each row execute function note_second_factor();

update account set has_second_factor = true
where exists (select 1 from account_totp where account_id = account.id)
  or exists (select 1 from passkey where account_id = account.id);
