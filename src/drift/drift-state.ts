import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { basename } from 'node:path/posix'
import { openDriftDatabase } from './drift-database.ts'
import type { Fact, FactForm } from './fact.ts'
import { classifyFile, type FileKind } from './file-kind.ts'
import { isCompoundName, isTypeName, nameKey, typeKey } from './name-key.ts'
import { readFileFacts } from './read-file-facts.ts'
import type { LapsedFact } from './lapsed-fact.ts'
import { readMentions } from './read-mentions.ts'
import { traceLapsedFacts } from './trace-lapsed-facts.ts'

/** A state of a repository. */
export interface RepositoryTree {
  revision: string
  /** All files, with the ids of their blobs. */
  files: readonly { path: string; id: string }[]
  /** Text of a blob, also of the state before; null if it is binary, too large, or no longer there. */
  read(id: string): Promise<string | null>
}

export interface LiveFile {
  path: string
  kind: FileKind
  object: string
  blob: number | null
}

const lapsedMax = 50_000
/** No name of a product repository. */
const pagesRepository = '@pages'

/**
 * What the newest states of a product and its documentation say, and which facts the product lost. In a SQLite file;
 * blobs are read once, whichever trees have them. One caller at a time.
 */
export class DriftState {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** Until a product changes. */
  #patterns: ReadonlyMap<number, readonly string[][]> | null = null

  constructor(file: string) {
    this.database = openDriftDatabase(file)
  }

  close(): void {
    this.database.close()
  }

  /** @param repository Name of a product repository, which may be empty. @returns Null before the first reading. */
  findRevision(repository: string): string | null {
    return (
      (this.get('SELECT revision FROM tree WHERE repository = ?', repository)?.['revision'] as string | undefined) ??
      null
    ) // STRICT
  }

  /** Forgets a repository, such as one that is no longer a product, with the facts that it lost. */
  forget(repository: string): void {
    this.#patterns = null
    for (const table of ['tree', 'live', 'lapsed']) this.run(`DELETE FROM ${table} WHERE repository = ?`, repository)
  }

  /** Takes over a new state of the documentation. All or nothing. */
  async advancePages(tree: RepositoryTree, signal: AbortSignal): Promise<void> {
    const known = this.all('SELECT path, object, blob FROM page')
    const pages = tree.files.filter(({ path }) => classifyFile(path) === 'page')
    const { changed, gone } = compareFiles(known, pages)
    await this.#transact(async () => {
      for (const path of gone) this.run('DELETE FROM page WHERE path = ?', path)
      for (const { path, id } of changed) {
        signal.throwIfAborted()
        const blob = await this.#readPage(id, tree)
        this.run('INSERT OR REPLACE INTO page (path, object, blob) VALUES (?, ?, ?)', path, id, blob)
      }
      const old = new Set<unknown>([...gone, ...changed.map(({ path }) => path)])
      this.#forgetBlobs(known.flatMap(({ path, blob }) => (old.has(path) ? [Number(blob)] : [])))
      this.run('INSERT OR REPLACE INTO tree (repository, revision) VALUES (?, ?)', pagesRepository, tree.revision)
    })
  }

  /** Takes over a new state of a product repository, and keeps the facts that it lost. All or nothing. */
  async advanceProduct(repository: string, tree: RepositoryTree, signal: AbortSignal): Promise<void> {
    const base = this.findRevision(repository)
    const { changed, gone } = compareFiles(
      this.all('SELECT path, object FROM live WHERE repository = ?', repository),
      tree.files,
    )
    await this.#transact(async () => {
      const before = [...gone, ...changed.map(({ path }) => path)].flatMap(
        (path) => this.#findLive(repository, path) ?? [],
      )
      const after: LiveFile[] = []
      for (const path of gone) this.run('DELETE FROM live WHERE repository = ? AND path = ?', repository, path)
      for (const file of changed) {
        signal.throwIfAborted()
        after.push(await this.#addLive(repository, file, tree))
      }
      this.#patterns = null
      const { revision } = tree
      const trace = { repository, base: base ?? '', revision, before, after, read: (id: string) => tree.read(id) }
      if (base !== null) this.#saveLapsed(await traceLapsedFacts(this, trace))
      this.#forgetBlobs(before.flatMap(({ blob }) => blob ?? []))
      this.run('INSERT OR REPLACE INTO tree (repository, revision) VALUES (?, ?)', repository, revision)
    })
  }

  /** Forgets all repositories but these. */
  forgetOthers(repositories: readonly string[]): void {
    const kept = new Set([...repositories, pagesRepository])
    for (const { repository } of this.all('SELECT repository FROM tree')) {
      if (!kept.has(String(repository))) this.forget(String(repository))
    }
  }

  /** Forgets what products lost so far. */
  forgetLapsed(): void {
    this.run('DELETE FROM lapsed')
  }

  /** Does work of which nothing stays. */
  async preview<Result>(work: () => Promise<Result>): Promise<Result> {
    this.database.exec('BEGIN IMMEDIATE')
    try {
      return await work()
    } finally {
      this.#patterns = null
      this.database.exec('ROLLBACK')
    }
  }

  async #transact(work: () => Promise<void>): Promise<void> {
    if (this.database.isTransaction) return work()
    this.database.exec('BEGIN IMMEDIATE')
    try {
      await work()
      this.database.exec('COMMIT')
    } catch (error) {
      this.#patterns = null
      this.database.exec('ROLLBACK')
      throw error
    }
  }

  #findLive(repository: string, path: string): LiveFile | null {
    const row = this.get(
      'SELECT path, kind, object, blob FROM live WHERE repository = ? AND path = ?',
      repository,
      path,
    )
    return row === undefined ? null : (row as unknown as LiveFile) // The columns of a STRICT table.
  }

  async #addLive(
    repository: string,
    { path, id }: { path: string; id: string },
    tree: RepositoryTree,
  ): Promise<LiveFile> {
    const kind = classifyFile(path)
    const blob = kind === 'product' || kind === 'support' ? await this.#readFile(path, kind, id, tree) : null
    const row = [repository, path, basename(path), kind, id, blob]
    this.run(
      'INSERT OR REPLACE INTO live (repository, path, base, kind, object, blob) VALUES (?, ?, ?, ?, ?, ?)',
      ...row,
    )
    return { path, kind, object: id, blob }
  }

  /** What a blob says depends on the kind of its file and on its language. */
  async #readFile(path: string, kind: FileKind, id: string, { read }: RepositoryTree): Promise<number | null> {
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
      this.run(
        'INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
        blob,
        form,
        key,
        name,
        owner,
        value,
        line,
        Number(isPublic),
      )
    }
    return blob
  }

  async #readPage(id: string, { read }: RepositoryTree): Promise<number> {
    const { id: blob, isNew } = this.#addBlob(`${id}:page`)
    if (!isNew) return blob
    const text = await read(id)
    for (const each of text === null ? [] : readMentions(text)) {
      const { form, key, name, owner, value, line, place, source, isName } = each
      const found = form === 'file' ? basename(key) : key
      const row = [blob, form, found, name, owner, value, line, place, source, Number(isName)]
      this.run('INSERT INTO mention VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', ...row)
    }
    return blob
  }

  /** Old versions would make every look-up slower. */
  #forgetBlobs(blobs: readonly number[]): void {
    for (const blob of new Set(blobs)) {
      if (
        this.get(
          'SELECT 1 FROM live WHERE blob = ? UNION ALL SELECT 1 FROM page WHERE blob = ? LIMIT 1',
          blob,
          blob,
        ) !== undefined
      )
        continue
      for (const table of ['word', 'fact', 'mention']) this.run(`DELETE FROM ${table} WHERE blob = ?`, blob)
      this.run('DELETE FROM blob WHERE id = ?', blob)
    }
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
      const flags = [Number(each.isPublic), Number(each.isRenamed)] as const
      // What was replaced by this fact is now replaced by its successor.
      this.run(
        `UPDATE lapsed SET successor = ?, is_renamed = is_renamed AND ?, new_path = ?, new_line = ?
        WHERE repository = ? AND form = ? AND successor = ? AND (form <> 'default' OR key = ?)`,
        successor,
        flags[1],
        newPath,
        newLine,
        repository,
        form,
        form === 'default' ? value : name,
        key,
      )
      const old = [repository, form, key, name, owner, value, flags[0], path, line, base, revision, successor]
      const values = '?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?'
      this.run(
        `INSERT OR REPLACE INTO lapsed VALUES (NULL, ${values})`,
        ...old,
        flags[1],
        newPath,
        newLine,
        each.package,
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
        return this.#isDefined(key, flagForms) || this.hasFlagStart(key)
      case 'default':
        return this.get(`${liveFact} AND f.form = 'default' AND f.value = ? LIMIT 1`, key, value) !== undefined
      case 'endpoint':
        return this.#isServed(key)
      case 'command':
        return this.#isDefined(key, [form]) || this.hasWord(typeKey(name))
      case 'feature':
      case 'package':
        return this.#isDefined(key, [form])
      case 'parameter':
        return this.#hasOwned(owner, [key, '*']) || !this.#isDefined(owner, ['exported', 'member'])
      case 'field':
        return (
          this.get(`${liveFact} AND f.form = 'field' AND f.owner = ? LIMIT 1`, key, owner) !== undefined ||
          !this.#isDefined(owner, ['endpoint'])
        )
      case 'file':
        return this.#isFile(name)
      case 'variable':
        return this.hasWord(key) || this.#isDefined(key, [form]) || this.#hasPrefixed(key)
      case 'exported':
        return this.hasWord(isTypeName(name) ? typeKey(name) : key)
      case 'member':
        return this.hasWord(key) || this.#isDefined(key, ['member']) || this.#isPlugin(name) || this.#isNested(name)
      case 'read':
        return this.hasWord(key)
    }
  }

  /** Whether a file of the product defines a name, or a command a flag. */
  isDefined({ form, key, owner }: Pick<Fact, 'form' | 'key' | 'owner'>): boolean {
    if (form === 'flag' && owner !== '') return this.hasFlag(key, owner)
    return !nameForms.includes(form) || this.#isDefined(key, nameForms)
  }

  /** Whether users of the product reach something of that name, by itself or through another name. */
  isReachable(key: string): boolean {
    return this.get(`${liveFact} AND f.form IN ('exported', 'member') AND f.is_public LIMIT 1`, key) !== undefined
  }

  /** Whether a command still has a flag; false also where only other commands have it. */
  hasFlag(key: string, command: string): boolean {
    return this.get(`${liveFact} AND f.form = 'flag' AND f.owner IN (?, '') LIMIT 1`, key, command) !== undefined
  }

  /** Whether a flag is put together from a beginning, such as `--reporter-`, and what users choose. */
  hasFlagStart(key: string): boolean {
    return [...key.matchAll(/_(?=.)/g)].some(({ index }) => this.#isDefined(key.slice(0, index + 1), ['flag']))
  }

  hasWord(key: string): boolean {
    const sql =
      'SELECT 1 FROM name n JOIN word w ON w.name = n.id JOIN live l ON l.blob = w.blob WHERE n.key = ? LIMIT 1'
    return this.get(sql, key) !== undefined
  }

  countProductFiles(repository: string): number {
    const sql = `SELECT count(*) AS files FROM live WHERE repository = ? AND kind = 'product'`
    return Number(this.get(sql, repository)?.['files'])
  }

  /** Distinct default values of a key. */
  listDefaults(key: string): string[] {
    return this.all(
      `SELECT DISTINCT f.value AS value FROM fact f JOIN live l ON l.blob = f.blob WHERE f.key = ? AND f.form = 'default'`,
      key,
    ).map(({ value }) => String(value))
  }

  /** A method is gone if others of its path are still there; else the path is. */
  #isServed(key: string): boolean {
    const [, path] = key.split(' ')
    if (this.#isDefined(key, ['endpoint']) || this.#hasPattern(key) || this.#isMounted(key)) return true
    return path !== undefined && !methods.some((method) => this.#isDefined(`${method} ${path}`, ['endpoint']))
  }

  /** Whether the parts of `client.overlay` are still in one file, which may describe them in another way. */
  #isNested(name: string): boolean {
    const parts = name.split('.')
    if (parts.length < 2) return false
    const sql = `SELECT 1 FROM word w JOIN name n ON n.id = w.name JOIN live l ON l.blob = w.blob
      WHERE n.key IN (${parts.map(() => '?').join()}) GROUP BY w.blob HAVING count(DISTINCT n.key) = ? LIMIT 1`
    const keys = new Set(parts.map(nameKey))
    return this.get(sql, ...parts.map(nameKey), keys.size) !== undefined
  }

  #isDefined(key: string, forms: readonly FactForm[]): boolean {
    return this.get(`${liveFact} AND f.form IN (${forms.map((form) => `'${form}'`).join()}) LIMIT 1`, key) !== undefined
  }

  #hasOwned(owner: string, keys: readonly string[]): boolean {
    return keys.some(
      (key) => this.get(`${liveFact} AND f.form = 'parameter' AND f.owner = ? LIMIT 1`, key, owner) !== undefined,
    )
  }

  /** Whether an endpoint with parameters has the form of a path: `/sites/*` that of `/sites/docs`. */
  #hasPattern(key: string): boolean {
    const segments = key.split('/')
    const isLike = (pattern: readonly string[]) =>
      pattern.every((part, index) => part.includes('*') || part === segments[index])
    return this.#listPatterns().get(segments.length)?.some(isLike) ?? false
  }

  /** Segments of the endpoints with parameters, by how many they are. Finding them reads all facts. */
  #listPatterns(): ReadonlyMap<number, readonly string[][]> {
    const sql = `SELECT DISTINCT f.key AS key FROM fact f JOIN live l ON l.blob = f.blob WHERE f.form = 'endpoint' AND f.key LIKE '%*%'`
    this.#patterns ??= Map.groupBy(
      this.all(sql).map((row) => String(row['key']).split('/')),
      ({ length }) => length,
    )
    return this.#patterns
  }

  /** Whether a router serves the rest of a path below its beginning: `/api/v1` and `/projects`. */
  #isMounted(key: string): boolean {
    return [...key.matchAll(/\//g)].some(
      ({ index }) =>
        index > 0 && [key.slice(0, index), key.slice(index)].every((part) => this.#isDefined(part, ['endpoint'])),
    )
  }

  /** Whether a variable is put together from a prefix and the name of a setting: `ACME_` and `api_key`. */
  #hasPrefixed(key: string): boolean {
    return [...key.matchAll(/_(?=.)/g)].some(
      ({ index }) =>
        isCompoundName(key.slice(index + 1)) &&
        this.hasWord(key.slice(0, index + 1)) &&
        this.hasWord(key.slice(index + 1)),
    )
  }

  /** Whether a file has the name of what is loaded by it: `plugins/retryStep.js`. */
  #isPlugin(name: string): boolean {
    const files = this.all(
      `SELECT base FROM live WHERE kind = 'product' AND base BETWEEN ? AND ?`,
      `${name}.`,
      `${name}/`,
    )
    return files.some(({ base }) => String(base).replace(/\.\w+$/, '') === name)
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

  /** Row by row, for results that may be large. */
  iterate(sql: string) {
    return this.#prepare(sql).iterate()
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

/** How a tree differs from the files that are known. */
function compareFiles(known: readonly Record<string, unknown>[], files: RepositoryTree['files']) {
  const objects = new Map(known.map(({ path, object }) => [path, object]))
  const paths = new Set<unknown>(files.map(({ path }) => path))
  const gone = known.map(({ path }) => String(path)).filter((path) => !paths.has(path))
  return { gone, changed: files.filter(({ path, id }) => objects.get(path) !== id) }
}

const liveFact = 'SELECT 1 FROM fact f JOIN live l ON l.blob = f.blob WHERE f.key = ?'
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']
const nameForms: readonly FactForm[] = ['exported', 'member', 'variable']
const flagForms: readonly FactForm[] = ['flag', 'member', 'parameter', 'field', 'exported']

export function toFact(row: Record<string, unknown>): Fact {
  const { is_public: isPublic, ...fact } = row
  return { ...fact, isPublic: Boolean(isPublic) } as Fact // The columns of a STRICT table that this room writes.
}
