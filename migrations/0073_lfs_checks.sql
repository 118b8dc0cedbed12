-- phase: expand
-- In a transaction of its own: it reads the table, and writers go on meanwhile.
alter table account_usage validate constraint account_usage_kind_check;
