/**
 * One file is one generation of one site: written once, checked, renamed into place, and then only read.
 *
 * The inverted index consists of our own blobs instead of SQLite's full-text module. Ranking statistics must come only
 * from the pages that the reader may see, but the module counts over all rows; a blob is filtered while it is decoded,
 * so counts, lengths and candidates are exact for every reader. It also lets every chunk be scored, not only a sample
 * preselected by the module's ranking.
 */
export const indexFormat = 9

/** Stored in the file's header to identify it as an index. */
export const indexApplicationId = 0x646f6378

/**
 * Texts are deflated: this halves the file and costs some microseconds per passage. The text of a chunk is a slice of
 * its page's Markdown (`text_start`, `text_length` characters), or deflated in `text` if it does not appear there
 * verbatim.
 *
 * `origins` says where the blocks of the page are in `file` (see `encodeOrigins`); a chunk holds `block_count` of them
 * from `first_block` on. Both columns of the page are null if it has no file. They come before the Markdown, because
 * SQLite reads a long row up to the column that it needs.
 *
 * `images` is JSON, null if the page has none (see `PageImage`). The bytes of those that everybody may see are in `image`.
 *
 * `copy_group` is the first of the pages that say the same (see `findCopies`), or null.
 *
 * Terms are numbered by descending chunk count, so that the most frequent ids are the shortest; `WITHOUT ROWID` stores
 * each term only once.
 */
export const indexSchema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE page (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, section TEXT NOT NULL,
    version TEXT, language TEXT, tag TEXT, keywords TEXT NOT NULL, groups TEXT NOT NULL,
    is_public INTEGER NOT NULL, is_searchable INTEGER NOT NULL, is_listed INTEGER NOT NULL, boost REAL NOT NULL,
    copy_group INTEGER, file TEXT, content_hash BLOB NOT NULL, origins BLOB, images TEXT, markdown BLOB NOT NULL
  ) STRICT;
  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY, anchor TEXT, headings TEXT NOT NULL, text_start INTEGER, text_length INTEGER, text BLOB,
    first_block INTEGER, block_count INTEGER NOT NULL, tokens BLOB NOT NULL
  ) STRICT;
  CREATE TABLE image (file TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE term (
    term TEXT PRIMARY KEY, id INTEGER NOT NULL, chunk_count INTEGER NOT NULL, postings BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Keys of the `meta` table. */
export const metaKeys = {
  format: 'format',
  header: 'header',
  termCount: 'term-count',
  /** Pages changed since the file was built as a whole (see `planPatch`); absent if it was. */
  patchedPages: 'patched-pages',
  /** JSON: the redirects of the documentation. */
  redirects: 'redirects',
  /** JSON: milliseconds by file, of the newest change; absent in files of earlier releases. */
  changedAt: 'changed-at',
  /** Int32 little-endian: the page of every number of a chunk, ascending. Those after a page's last chunk are spare. */
  chunkPages: 'chunk-pages',
  /** Uint16 little-endian: the number of terms per field, chunk by chunk. */
  fieldLengths: 'field-lengths',
} as const
