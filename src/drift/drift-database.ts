import { DatabaseSync } from 'node:sqlite'
import { rmSync } from 'node:fs'

const applicationId = 0x446f4472
/** Raise when reading files changes, so that all are read again. */
export const factsFormat = 6

/**
 * Opens the facts of a site, which are kept in a file and not in memory. A file of another format is replaced, because
 * everything but the removed facts can be read again.
 */
export function openDriftDatabase(file: string): DatabaseSync {
  try {
    return open(file)
  } catch {
    for (const each of [file, `${file}-journal`, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true })
    return open(file)
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000')
    const known = database.prepare('PRAGMA application_id').get()?.['application_id']
    if (known === 0) database.exec(`BEGIN; ${schema} COMMIT`)
    else if (
      known !== applicationId ||
      database.prepare('PRAGMA user_version').get()?.['user_version'] !== factsFormat
    ) {
      throw new Error('The file of facts has another format.')
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

const schema = `
  CREATE TABLE tree (repository TEXT PRIMARY KEY, revision TEXT NOT NULL) STRICT;
  CREATE TABLE blob (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE name (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE word (name INTEGER NOT NULL, blob INTEGER NOT NULL, PRIMARY KEY (name, blob)) STRICT, WITHOUT ROWID;
  CREATE INDEX word_blob ON word (blob);
  CREATE TABLE fact (
    blob INTEGER NOT NULL, form TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL,
    value TEXT NOT NULL, line INTEGER NOT NULL, is_public INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX fact_key ON fact (key, form);
  CREATE INDEX fact_blob ON fact (blob);
  CREATE TABLE live (
    repository TEXT NOT NULL, path TEXT NOT NULL, base TEXT NOT NULL, kind TEXT NOT NULL, object TEXT NOT NULL,
    blob INTEGER, PRIMARY KEY (repository, path)
  ) STRICT;
  CREATE INDEX live_blob ON live (blob);
  CREATE INDEX live_base ON live (base);
  CREATE TABLE page (path TEXT PRIMARY KEY, object TEXT NOT NULL, blob INTEGER NOT NULL) STRICT;
  CREATE INDEX page_blob ON page (blob);
  CREATE TABLE mention (
    blob INTEGER NOT NULL, form TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL,
    value TEXT NOT NULL, line INTEGER NOT NULL, place TEXT NOT NULL, source TEXT NOT NULL, is_name INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX mention_key ON mention (key, form, owner);
  CREATE INDEX mention_blob ON mention (blob);
  CREATE TABLE lapsed (
    id INTEGER PRIMARY KEY, repository TEXT NOT NULL, form TEXT NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    owner TEXT NOT NULL, value TEXT NOT NULL, is_public INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL,
    base TEXT NOT NULL, revision TEXT NOT NULL, successor TEXT NOT NULL, is_renamed INTEGER NOT NULL,
    new_path TEXT NOT NULL, new_line INTEGER NOT NULL, package TEXT NOT NULL,
    UNIQUE (repository, form, key, owner, value)
  ) STRICT;
  CREATE INDEX lapsed_key ON lapsed (key);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${factsFormat};
`
