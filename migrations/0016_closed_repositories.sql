-- phase: expand
-- Whoever is in many teams was granted many repositories, and of these only the closed ones are looked for: they are
-- found, shown and ordered by name without reading the others.

-- squawk-ignore require-concurrent-index-creation
create index repository_closed on repository (id) include (name_key, units)
  where audience not in ('public', 'limited');
