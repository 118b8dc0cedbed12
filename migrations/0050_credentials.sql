-- phase: expand
-- A step may prove an e-mail address of an account.
alter table sign_in_step drop constraint sign_in_step_kind_check;
alter table sign_in_step add constraint sign_in_step_kind_check check (kind in (
  'second_factor', 'change_password', 'passkey', 'recover', 'activate', 'verify_email')) not valid;
alter table sign_in_step add column email_id bigint;
alter table sign_in_step add constraint sign_in_step_email_fkey
  foreign key (email_id) references account_email (id) on delete cascade not valid;
create index sign_in_step_email on sign_in_step (email_id) where email_id is not null;

-- Mail about accounts is counted by address, by sender and in all, in windows, so that nobody's mailbox is filled.
create table letter_count (
  key text primary key,
  window_start timestamptz not null,
  letters bigint not null
);
create index letter_count_window on letter_count (window_start);

-- Addresses of the network that somebody has signed in from, as digests: guesses from elsewhere do not lock them out.
create table known_address (
  account_id bigint not null references account (id) on delete cascade,
  digest bytea not null,
  seen_at timestamptz not null,
  primary key (account_id, digest)
);
create index known_address_seen on known_address (seen_at);
