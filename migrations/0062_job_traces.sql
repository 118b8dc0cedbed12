-- phase: expand
-- The span that added the job, as a W3C `traceparent`: the job continues its trace. Null where nodes send no traces.
alter table job add column traceparent text;
