-- A database of format 5, with a few rows.
CREATE TABLE account (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

-- hash: of the key, 32 bytes.
CREATE TABLE api_key (
    prefix TEXT PRIMARY KEY,
    hash BLOB NOT NULL,
    account INTEGER NOT NULL REFERENCES account,
    name TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    added INTEGER NOT NULL,
    expires INTEGER,
    revoked INTEGER
) WITHOUT ROWID;

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL
);
CREATE INDEX project_account ON project (account);

-- text: canonical JSON.
CREATE TABLE definition (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX definition_project ON definition (project);
CREATE INDEX definition_account ON definition (account);

-- seed: the 64 bits, as a signed integer.
CREATE TABLE ensemble (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    definition INTEGER NOT NULL REFERENCES definition ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    sampler_version INTEGER NOT NULL,
    digest TEXT NOT NULL
);
CREATE INDEX ensemble_definition ON ensemble (definition);

-- gzip: {"vectors":…}.
CREATE TABLE packed_rows (
    ensemble INTEGER PRIMARY KEY REFERENCES ensemble ON DELETE CASCADE,
    gzip BLOB NOT NULL
);

-- policy and outputs: canonical JSON.
CREATE TABLE benchmark (
    id INTEGER PRIMARY KEY,
    uuid BLOB NOT NULL UNIQUE,
    ensemble INTEGER NOT NULL REFERENCES ensemble ON DELETE CASCADE,
    account INTEGER NOT NULL,
    added INTEGER NOT NULL,
    digest TEXT NOT NULL,
    policy TEXT,
    outputs TEXT NOT NULL
);
CREATE INDEX benchmark_ensemble ON benchmark (ensemble);

-- n counts a benchmark's assertions from 1 without gaps, so the newest are a range of it.
CREATE TABLE assertion (
    benchmark INTEGER NOT NULL REFERENCES benchmark ON DELETE CASCADE,
    n INTEGER NOT NULL,
    uuid BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    asserted INTEGER NOT NULL,
    PRIMARY KEY (benchmark, n)
) WITHOUT ROWID;

-- made: the uuid of the created object. n: of an assertion.
CREATE TABLE idempotency (
    account INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    made BLOB NOT NULL,
    n INTEGER,
    added INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_added ON idempotency (added);

PRAGMA application_id = 1952737139;
PRAGMA user_version = 5;

INSERT INTO account VALUES (1, 'default'), (7, 'team');
INSERT INTO api_key VALUES ('tdg_0123456789ab', zeroblob(32), 7, 'ci', 7, 5, NULL, NULL);
-- The clock was set back between two of these.
INSERT INTO project VALUES
    (3, x'00000000000000000000000000000033', 7, 1000000, 'second'),
    (4, x'00000000000000000000000000000031', 7, 999999, 'first'),
    (5, x'00000000000000000000000000000032', 1, 1000001, 'another');
INSERT INTO definition VALUES (8, x'00000000000000000000000000000041', 3, 7, 2000000, '{"features":["ä"]}');
INSERT INTO ensemble VALUES (9, x'00000000000000000000000000000051', 8, 7, 3000000, 'e', 2, -1, 1, 'digest');
INSERT INTO packed_rows VALUES (9, x'010203');
INSERT INTO benchmark VALUES
    (2, x'00000000000000000000000000000062', 9, 7, 4000000, 'd', NULL, '[1,2]'),
    (6, x'00000000000000000000000000000061', 9, 7, 4000001, 'd', '{"abs":1}', '["ä",2]');
-- While the clock is behind, one is written at the time of that before it.
INSERT INTO assertion VALUES
    (2, 1, x'00000000000000000000000000000074', 5000000, 1),
    (2, 2, x'00000000000000000000000000000073', 5000000, 0),
    (2, 3, x'00000000000000000000000000000072', 5000000, 1),
    (2, 4, x'00000000000000000000000000000071', 5000009, 0),
    (6, 1, x'00000000000000000000000000000075', 5000000, 1);
INSERT INTO idempotency VALUES
    (7, 'assertion', zeroblob(32), x'00000000000000000000000000000072', 3, 5000001),
    (7, 'project', zeroblob(32), x'00000000000000000000000000000033', NULL, 1000000);
