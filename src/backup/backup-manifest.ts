import { z } from 'zod'

/** Raised when a reader of the version before could not restore what is written. */
export const formatVersion = 1

/** The last entry of an archive: one without it was broken off. */
export const manifestName = 'manifest.json'
export const secretName = 'secret-key'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)
const part = z.strictObject({ bytes: count, sha256: hash })
const name = z.string().regex(/^[a-z_]{1,63}$/)

const tableSchema = z.strictObject({
  name,
  columns: z.array(name).min(1).max(200),
  rowCount: count,
  /** Of the rows of all parts, as lines. */
  sha256: hash,
  parts: z.array(part),
})

const repositorySchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/),
  head: z.string().max(1_000),
  /** Full names of refs, and full ids of what they name. */
  refs: z.record(z.string().max(1_000), z.string().regex(/^[0-9a-f]{40,64}$/)),
  shallow: z.string().nullable(),
  packs: z.array(part),
})

/** What an archive holds, and what it must come to. */
export const manifestSchema = z.strictObject({
  format: z.literal('docent-backup'),
  formatVersion: z.int(),
  /** The version of Docent that made it. */
  program: z.string().max(100),
  createdAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  /** The last migration that the database had come through. */
  migration: z.string().max(100),
  /** Tells whether a secret key is the one of the installation, without telling it. Null where it had none. */
  secretCheck: hash.nullable(),
  /** The entry with the secret key, where it was asked for. */
  secret: part.nullable(),
  tables: z.array(tableSchema).max(1_000),
  repositories: z.array(repositorySchema),
})

export type BackupManifest = z.infer<typeof manifestSchema>
export type BackupTable = BackupManifest['tables'][number]
export type BackupRepository = BackupManifest['repositories'][number]
/** What an entry comes to. */
export type EntrySum = z.infer<typeof part>

export function packEntry(repositoryId: string, sha256: string): string {
  return `repositories/${repositoryId}/${sha256}.pack`
}

/** @param number From 0. */
export function tableEntry(table: string, number: number): string {
  return `tables/${table}/${String(number + 1).padStart(6, '0')}.jsonl.gz`
}

/** Every entry but the manifest itself, in the order that they have in an archive. */
export function listEntries(manifest: BackupManifest): { name: string; sum: EntrySum }[] {
  const packs = manifest.repositories.flatMap(({ id, packs: own }) =>
    own.map((sum) => ({ name: packEntry(id, sum.sha256), sum })),
  )
  const parts = manifest.tables.flatMap((table) =>
    table.parts.map((sum, number) => ({ name: tableEntry(table.name, number), sum })),
  )
  const secret = manifest.secret === null ? [] : [{ name: secretName, sum: manifest.secret }]
  return [...packs, ...parts, ...secret]
}
