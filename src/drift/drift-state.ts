import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { basename } from 'node:path/posix'
import { openDriftDatabase } from './drift-database.ts'
import type { Fact, FactForm } from './fact.ts'
import { classifyFile, type FileKind } from './file-kind.ts'
import { readFileFacts } from './read-file-facts.ts'
import type { LapsedFact } from './lapsed-fact.ts'
import { readMentions } from './read-mentions.ts'
import { traceLapsedFacts } from './trace-lapsed-facts.ts'

/** How a tree differs from the one that was read last. */
export interface TreeChange {
  revision: string
  /** All files of the first tree; id of the blob, or null if the file is gone. */
  entries: readonly { path: string; id: string | null }[]
  /** Text of a blob; null if it is binary or too large. */
  read(id: string): Promise<string | null>
}

export interface LiveFile {
  path: string
  kind: FileKind
  object: string
  blob: number | null
}

const lapsedMax = 50_000

/**
 * What the newest states of a product and its documentation say, and which facts the product lost. In a SQLite file;
 * blobs are read once, whichever trees have them. One caller at a time.
 */
export class DriftState {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.database = openDriftDatabase(file)
  }

  close(): void {
    this.database.close()
  }

  /** @param repository Name of a product repository; empty for the documentation. @returns Null before the first reading. */
  findRevision(repository: string): string | null {
    return (this.get('SELECT revision FROM tree WHERE repository = ?', repository)?.['revision'] as string | undefined) ?? null // STRICT
  }

  /** Forgets a repository, such as one that is no longer a product, with the facts that it lost. */
  forget(repository: string): void {
    for (const table of ['tree', 'live', 'lapsed']) this.run(`DELETE FROM ${table} WHERE repository = ?`, repository)
  }

  /** Takes over a new state of the documentation. All or nothing. */
  async advancePages(change: TreeChange, signal: AbortSignal): Promise<void> {
    const entries = change.entries.filter(({ path, id }) => id === null || classifyFile(path) === 'page')
    await this.#transact(async () => {
      for (const { path, id } of entries) {
        signal.throwIfAborted()
        const blob = id === null ? null : await this.#readPage(id, change)
        if (id === null || blob === null) this.run('DELETE FROM page WHERE path = ?', path)
        else this.run('INSERT OR REPLACE INTO page (path, object, blob) VALUES (?, ?, ?)', path, id, blob)
      }
      this.run('INSERT OR REPLACE INTO tree (repository, revision) VALUES (?, ?)', '', change.revision)
    })
  }

  /** Takes over a new state of a product repository, and keeps the facts that it lost. All or nothing. */
  async advanceProduct(repository: string, change: TreeChange, signal: AbortSignal): Promise<void> {
    const base = this.findRevision(repository)
    await this.#transact(async () => {
      const before: LiveFile[] = []
      const after: LiveFile[] = []
      for (const { path, id } of change.entries) {
        signal.throwIfAborted()
        const known = base === null ? null : this.#findLive(repository, path)
        if (known !== null) before.push(known)
        if (id === null) this.run('DELETE FROM live WHERE repository = ? AND path = ?', repository, path)
        else after.push(await this.#addLive(repository, { path, id }, change))
      }
      const trace = { repository, base: base ?? '', revision: change.revision, before, after, read: (id: string) => change.read(id) }
      if (base !== null) this.#saveLapsed(await traceLapsedFacts(this, trace))
      this.run('INSERT OR REPLACE INTO tree (repository, revision) VALUES (?, ?)', repository, change.revision)
    })
  }

  async #transact(work: () => Promise<void>): Promise<void> {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      await work()
      this.database.exec('COMMIT')
    } catch (error) {
      this.database.exec('ROLLBACK')
      throw error
    }
  }

  #findLive(repository: string, path: string): LiveFile | null {
    const row = this.get('SELECT path, kind, object, blob FROM live WHERE repository = ? AND path = ?', repository, path)
    return row === undefined ? null : (row as unknown as LiveFile) // The columns of a STRICT table.
  }

  async #addLive(repository: string, { path, id }: { path: string; id: string }, change: TreeChange): Promise<LiveFile> {
    const kind = classifyFile(path)
    const blob = kind === 'product' || kind === 'support' ? await this.#readFile(path, kind, id, change) : null
    this.run(
      'INSERT OR REPLACE INTO live (repository, path, base, kind, object, blob) VALUES (?, ?, ?, ?, ?, ?)',
      ...[repository, path, basename(path), kind, id, blob],
    )
    return { path, kind, object: id, blob }
  }

  /** What a blob says depends on the kind of its file and on its language. */
  async #readFile(path: string, kind: FileKind, id: string, { read }: TreeChange): Promise<number | null> {
    const { id: blob, isNew } = this.#addBlob(`${id}:${kind}:${/\.[^./]+$/.exec(path)?.[0] ?? basename(path)}`)
    if (!isNew) return blob
    const text = await read(id)
    if (text === null) return blob
    const { words, facts } = readFileFacts(path, kind, text)
    for (const word of words) {
      this.run('INSERT OR IGNORE INTO name (key) VALUES (?)', word)
      this.run('INSERT OR IGNORE INTO word (name, blob) SELECT id, ? FROM name WHERE key = ?', blob, word)
    }
    for (const { form, key, name, owner, value, line, isPublic } of facts) {
      this.run('INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?)', blob, form, key, name, owner, value, line, Number(isPublic))
    }
    return blob
  }

  async #readPage(id: string, { read }: TreeChange): Promise<number | null> {
    const { id: blob, isNew } = this.#addBlob(`${id}:page`)
    if (!isNew) return blob
    const text = await read(id)
    for (const each of text === null ? [] : readMentions(text)) {
      const { form, key, name, owner, value, line, place, source, isName } = each
      this.run(
        'INSERT INTO mention VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[blob, form, form === 'file' ? basename(key) : key, name, owner, value, line, place, source, Number(isName)],
      )
    }
    return blob
  }

  #addBlob(hash: string): { id: number; isNew: boolean } {
    const known = this.get('SELECT id FROM blob WHERE hash = ?', hash)?.['id']
    if (known !== undefined) return { id: Number(known), isNew: false }
    this.run('INSERT INTO blob (hash) VALUES (?)', hash)
    return { id: Number(this.get('SELECT last_insert_rowid() AS id')?.['id']), isNew: true }
  }

  #saveLapsed(facts: readonly LapsedFact[]): void {
    for (const each of facts) {
      const { repository, form, name, owner, value, path, line, base, revision, successor, newPath, newLine } = each
      const key = form === 'file' ? basename(each.key) : each.key
      this.run(
        'INSERT OR REPLACE INTO lapsed VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        ...[repository, form, key, name, owner, value, Number(each.isPublic), path, line, base, revision, successor],
        ...[Number(each.isRenamed), newPath, newLine, each.package],
      )
    }
    this.run('DELETE FROM lapsed WHERE id <= (SELECT max(id) FROM lapsed) - ?', lapsedMax)
  }

  listFacts(blob: number): Fact[] {
    const rows = this.all('SELECT form, key, name, owner, value, line, is_public FROM fact WHERE blob = ?', blob)
    return rows.map(toFact)
  }

  /** Whether the product still has a fact, in any of its files. */
  isAlive({ form, key, name, owner, value }: Pick<Fact, 'form' | 'key' | 'name' | 'owner' | 'value'>): boolean {
    switch (form) {
      case 'flag':
        return this.#isDefined(key, flagForms)
      case 'default':
        return this.get(`${liveFact} AND f.form = 'default' AND f.value = ? LIMIT 1`, key, value) !== undefined
      case 'endpoint':
      case 'package':
        return this.#isDefined(key, [form])
      case 'parameter':
        return this.#hasOwned(owner, [key, '*']) || !this.#isDefined(owner, ['exported', 'member'])
      case 'field':
        return this.get(`${liveFact} AND f.form = 'field' AND f.owner = ? LIMIT 1`, key, owner) !== undefined || !this.#isDefined(owner, ['endpoint'])
      case 'file':
        return this.#isFile(name)
      default:
        return this.hasWord(key)
    }
  }

  /** Whether a file of the product defines a name, or a command a flag. */
  isDefined({ form, key, owner }: Pick<Fact, 'form' | 'key' | 'owner'>): boolean {
    if (form === 'flag' && owner !== '') return this.hasFlag(key, owner)
    return !nameForms.includes(form) || this.#isDefined(key, nameForms)
  }

  isExported(key: string): boolean {
    return this.#isDefined(key, ['exported'])
  }

  /** Whether a command still has a flag; false also where only other commands have it. */
  hasFlag(key: string, command: string): boolean {
    return this.get(`${liveFact} AND f.form = 'flag' AND f.owner IN (?, '') LIMIT 1`, key, command) !== undefined
  }

  hasWord(key: string): boolean {
    const sql = 'SELECT 1 FROM name n JOIN word w ON w.name = n.id JOIN live l ON l.blob = w.blob WHERE n.key = ? LIMIT 1'
    return this.get(sql, key) !== undefined
  }

  /** Distinct default values of a key. */
  listDefaults(key: string): string[] {
    return this.all(`SELECT DISTINCT f.value AS value FROM fact f JOIN live l ON l.blob = f.blob WHERE f.key = ? AND f.form = 'default'`, key).map(
      ({ value }) => String(value),
    )
  }

  #isDefined(key: string, forms: readonly FactForm[]): boolean {
    return this.get(`${liveFact} AND f.form IN (${forms.map((form) => `'${form}'`).join()}) LIMIT 1`, key) !== undefined
  }

  #hasOwned(owner: string, keys: readonly string[]): boolean {
    return keys.some((key) => this.get(`${liveFact} AND f.form = 'parameter' AND f.owner = ? LIMIT 1`, key, owner) !== undefined)
  }

  #isFile(name: string): boolean {
    const paths = this.all('SELECT path FROM live WHERE base = ?', basename(name))
    return paths.some(({ path }) => path === name || String(path).endsWith(`/${name}`))
  }

  get(sql: string, ...values: (string | number | null)[]) {
    return this.#prepare(sql).get(...values)
  }

  all(sql: string, ...values: (string | number | null)[]) {
    return this.#prepare(sql).all(...values)
  }

  run(sql: string, ...values: (string | number | null)[]): void {
    this.#prepare(sql).run(...values)
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}

const liveFact = 'SELECT 1 FROM fact f JOIN live l ON l.blob = f.blob WHERE f.key = ?'
const nameForms: readonly FactForm[] = ['exported', 'member', 'variable']
const flagForms: readonly FactForm[] = ['flag', 'member', 'parameter', 'field', 'exported']

export function toFact(row: Record<string, unknown>): Fact {
  const { is_public: isPublic, ...fact } = row
  return { ...fact, isPublic: Boolean(isPublic) } as Fact // The columns of a STRICT table that this room writes.
}
