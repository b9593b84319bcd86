-- Version 1. A `*_key` is the lower-case form by which something is found; a `*_at` beside the fields it belongs to is
-- the moment, in milliseconds since 1970, that those fields are from, and a `*_tie` tells apart what one moment says twice.

CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  name_key TEXT NOT NULL UNIQUE,
  owner_key TEXT NOT NULL,
  full_name TEXT NOT NULL,
  facts_at INTEGER,
  facts_tie INTEGER,
  is_private INTEGER NOT NULL DEFAULT 0,
  html_url TEXT,
  default_branch TEXT,
  installation_id INTEGER,
  covered_at INTEGER,
  covered_tie INTEGER,
  registry_at INTEGER,
  registry_tie INTEGER,
  registry_repo TEXT,
  emission_share REAL,
  issue_discovery_share REAL,
  label_multipliers TEXT,
  trusted_label_pipeline INTEGER,
  maintainer_cut REAL
) STRICT;
CREATE INDEX repositories_by_owner ON repositories (owner_key, name_key) WHERE installation_id IS NOT NULL;

-- Names that repositories had.
CREATE TABLE former_names (
  name_key TEXT PRIMARY KEY,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX former_names_by_repository ON former_names (repository_id);

-- One row: the newest registry.
CREATE TABLE registry (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE installations (
  id INTEGER PRIMARY KEY,
  account_login TEXT NOT NULL,
  account_key TEXT NOT NULL,
  is_suspended INTEGER NOT NULL,
  is_removed INTEGER NOT NULL,
  updated_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL
) STRICT;
CREATE INDEX installations_by_account ON installations (account_key);

CREATE TABLE labels (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  color TEXT,
  description TEXT,
  PRIMARY KEY (repository_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE issues (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  labels TEXT NOT NULL,
  author_login TEXT,
  author_key TEXT,
  author_association TEXT,
  html_url TEXT,
  body TEXT,
  linked_prs TEXT NOT NULL,
  created_at TEXT,
  updated_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL,
  is_gone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (repository_id, number)
) STRICT;
CREATE INDEX issues_by_change ON issues (repository_id, at DESC, number DESC) WHERE is_gone = 0;
CREATE INDEX open_issues_by_change ON issues (repository_id, at DESC, number DESC) WHERE is_gone = 0 AND state = 'open';
CREATE INDEX issues_by_author ON issues (author_key, repository_id) WHERE is_gone = 0;

CREATE TABLE pull_requests (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  labels TEXT NOT NULL,
  linked_issues TEXT NOT NULL,
  author_login TEXT,
  author_key TEXT,
  author_association TEXT,
  html_url TEXT,
  body TEXT,
  created_at TEXT,
  updated_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL,
  is_draft INTEGER,
  draft_at INTEGER,
  head_sha TEXT,
  head_at INTEGER,
  merged_at TEXT,
  merged_ms INTEGER,
  PRIMARY KEY (repository_id, number)
) STRICT;
CREATE INDEX pull_requests_by_change ON pull_requests (repository_id, at DESC, number DESC);
CREATE INDEX open_pull_requests_by_change ON pull_requests (repository_id, at DESC, number DESC) WHERE state = 'open';
CREATE INDEX merged_pull_requests ON pull_requests (repository_id, merged_ms DESC, number DESC) WHERE merged_ms IS NOT NULL;
CREATE INDEX pull_requests_by_author ON pull_requests (author_key, repository_id, state);

-- By commit: a new head has files of its own, so those of an older one never count for it.
CREATE TABLE files (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  head_sha TEXT NOT NULL,
  path TEXT NOT NULL,
  additions INTEGER NOT NULL,
  deletions INTEGER NOT NULL,
  PRIMARY KEY (repository_id, head_sha, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE reviews (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  pull_number INTEGER NOT NULL,
  state TEXT NOT NULL,
  reviewer_login TEXT,
  submitted_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL,
  PRIMARY KEY (repository_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reviews_by_pull_request ON reviews (repository_id, pull_number, id);

CREATE TABLE checks (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  kind INTEGER NOT NULL,
  id INTEGER NOT NULL,
  head_sha TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  conclusion TEXT,
  started_at TEXT,
  completed_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL,
  PRIMARY KEY (repository_id, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX checks_by_commit ON checks (repository_id, head_sha, at, kind, id);

CREATE TABLE manifests (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (repository_id, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE bounties (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  issue_number INTEGER NOT NULL,
  status TEXT NOT NULL,
  updated_at TEXT,
  discovered_at TEXT,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL,
  PRIMARY KEY (repository_id, issue_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX bounties_by_change ON bounties (repository_id, at DESC, issue_number DESC);

CREATE TABLE contributors (
  login_key TEXT PRIMARY KEY,
  login TEXT NOT NULL,
  repositories TEXT NOT NULL,
  at INTEGER NOT NULL,
  tie INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE calibration (
  login_key TEXT NOT NULL,
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  pull_number INTEGER NOT NULL,
  agreed INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (login_key, repository_id, pull_number)
) STRICT, WITHOUT ROWID;
CREATE INDEX calibration_by_repository ON calibration (repository_id);

CREATE TABLE totals (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  fetched_at TEXT NOT NULL,
  open_issues INTEGER NOT NULL,
  open_pull_requests INTEGER NOT NULL,
  merged_pull_requests INTEGER NOT NULL,
  closed_unmerged_pull_requests INTEGER NOT NULL,
  labels INTEGER NOT NULL,
  PRIMARY KEY (repository_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_observations (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  generated_at TEXT NOT NULL,
  open_pull_requests INTEGER NOT NULL,
  stale_pull_requests INTEGER NOT NULL,
  collision_clusters INTEGER NOT NULL,
  PRIMARY KEY (repository_id, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_states (
  repository_id INTEGER PRIMARY KEY REFERENCES repositories (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  last_completed_at TEXT,
  updated_at TEXT,
  error_summary TEXT,
  warnings TEXT NOT NULL
) STRICT;

CREATE TABLE sync_segments (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  segment TEXT NOT NULL,
  status TEXT NOT NULL,
  fetched_count INTEGER NOT NULL,
  expected_count INTEGER,
  completed_at TEXT,
  PRIMARY KEY (repository_id, segment)
) STRICT, WITHOUT ROWID;

CREATE TABLE marks (
  repository_id INTEGER NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (repository_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE,
  login TEXT NOT NULL,
  login_key TEXT NOT NULL,
  github_id INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX sessions_by_login ON sessions (login_key, created_at DESC, id DESC);
CREATE INDEX sessions_by_age ON sessions (created_at DESC, id DESC);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX revoked_sessions ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;
