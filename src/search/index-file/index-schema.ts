/**
 * One file is one generation of one site: written once, checked, renamed to its name, and only read from then on.
 *
 * The inverted index is our own blobs, not the full-text module of SQLite: the statistics of a ranking must come from
 * the pages that this reader may see, and the module counts over all rows; a blob is filtered while it is decoded, so
 * that counts, lengths and candidates are exact for every reader. It also scores every chunk, where the module's own
 * ranking had to be asked for a sample first.
 */
export const indexFormat = 3

/** Stored in the file's header, so that no other file is mistaken for an index. */
export const indexApplicationId = 0x646f6378

/**
 * Texts are deflated: half of the file, for some microseconds a passage. The text of a chunk stands in its page's
 * Markdown at `text_start` for `text_length` characters, or deflated in `text` where it does not stand there word for word.
 *
 * Terms are numbered by how many chunks hold them, most first, so that the numbers that occur most are the shortest;
 * without a rowid each term is stored once.
 */
export const indexSchema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE page (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, section TEXT NOT NULL,
    version TEXT, language TEXT, tag TEXT, keywords TEXT NOT NULL, groups TEXT NOT NULL,
    is_public INTEGER NOT NULL, is_searchable INTEGER NOT NULL, is_listed INTEGER NOT NULL, boost REAL NOT NULL,
    content_hash BLOB NOT NULL, markdown BLOB NOT NULL
  ) STRICT;
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY, anchor TEXT, headings TEXT NOT NULL, text_start INTEGER, text_length INTEGER, text BLOB,
    tokens BLOB NOT NULL
  ) STRICT;
  CREATE TABLE term (
    term TEXT PRIMARY KEY, id INTEGER NOT NULL, chunk_count INTEGER NOT NULL, postings BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Keys of the `meta` table. */
export const metaKeys = {
  format: 'format',
  header: 'header',
  termCount: 'term-count',
  /** Int32 little-endian: the page of every chunk. */
  chunkPages: 'chunk-pages',
  /** Uint16 little-endian: the terms of every chunk in each field, chunk by chunk. */
  fieldLengths: 'field-lengths',
} as const
