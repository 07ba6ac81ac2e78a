// Keys stay when they are replaced, resources when they are destroyed: the ledger and its
// readers refer to them. Only the living ones hold a name, an alias or the current key.
// The ledger is not STRICT: an entry that is odd but readable must never stop the journal.

export const firstTables = `
  CREATE TABLE resources (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    model TEXT,
    plan TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    destroyed_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX resources_by_name ON resources (name) WHERE destroyed_at IS NULL;

  CREATE TABLE keys (
    hash TEXT PRIMARY KEY NOT NULL,
    resource_id TEXT NOT NULL REFERENCES resources (id),
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX keys_current ON keys (resource_id) WHERE revoked_at IS NULL;

  CREATE TABLE aliases (
    alias TEXT PRIMARY KEY NOT NULL,
    resource_id TEXT NOT NULL REFERENCES resources (id),
    position INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX aliases_by_resource ON aliases (resource_id, position);

  CREATE TABLE ledger (
    id TEXT PRIMARY KEY NOT NULL,
    request_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    resource_id TEXT NOT NULL,
    model TEXT NOT NULL,
    route TEXT NOT NULL,
    status INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    duration_ms REAL NOT NULL
  );
  CREATE INDEX ledger_by_time ON ledger (at);
  CREATE INDEX ledger_by_resource ON ledger (resource_id, at);

  CREATE TABLE facts (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
  ) STRICT;
`;
