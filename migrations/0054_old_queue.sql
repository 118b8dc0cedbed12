-- phase: contract
-- Jobs of the version before lie in the tables of graphile-worker. They move to `job`, and those tables go. A job that
-- handed an event to one consumer is a job of that kind again, unless its consumer has marked the event already.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  insert into job (kind, payload, key, group_key, is_serial, run_at, attempts, attempts_max, error)
  select case task.identifier when 'deliver' then 'deliver-to' else task.identifier end,
    case task.identifier when 'deliver' then json_build_object('event_id', old.payload -> 'event_id',
      'consumers', json_build_array(old.payload -> 'consumer')) else old.payload end, old.key,
    coalesce(queue.queue_name, ''), queue.id is not null, old.run_at, old.attempts, old.max_attempts, old.last_error
  from graphile_worker._private_jobs as old
    join graphile_worker._private_tasks as task on task.id = old.task_id
    left join graphile_worker._private_job_queues as queue on queue.id = old.job_queue_id
  where not (old.key is null and coalesce(old.flags ? 'keyed', false))
    and not (task.identifier = 'deliver' and exists (select 1 from event_consumed
      where event_id = (old.payload ->> 'event_id')::bigint and consumer = old.payload ->> 'consumer'))
  order by old.id;
  drop schema graphile_worker cascade;
end
$$;
-- squawk-ignore ban-drop-table
drop table event_consumed;
