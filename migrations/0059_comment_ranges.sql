-- phase: expand
-- Review comments on several lines: `line` is the last of them, `start_line` the first, on the same side. Null for a
-- comment on one line or on the whole file.
alter table review_comment add column start_line bigint;
alter table review_comment add constraint review_comment_start_line_check
  check (start_line >= 1 and start_line < line and line - start_line <= 500) not valid;
-- The first of these lines that the current head still has. Nodes of the version before move `current_line` alone, so it
-- is meaningless unless it is below that.
alter table review_comment add column current_start_line bigint;
