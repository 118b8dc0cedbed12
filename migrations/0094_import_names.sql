-- phase: expand
-- The last import under a name, for those who move whole organizations.
create index import_last on import (owner_id, name_key, id);
