import { z } from 'zod'

/** Bump when readers of the previous version could not restore the new format. */
export const formatVersion = 1

/** The last entry of an archive. An archive without it is truncated. */
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
  /** Over the rows of all parts, as lines. */
  sha256: hash,
  parts: z.array(part),
})

const repositorySchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/),
  head: z.string().max(1_000),
  /** Full ref names and full object ids. */
  refs: z.record(z.string().max(1_000), z.string().regex(/^[0-9a-f]{40,64}$/)),
  shallow: z.string().nullable(),
  packs: z.array(part),
})

/** Last entry of an archive: what it contains, with checksums, and what a restore compares before it writes. */
export const manifestSchema = z.strictObject({
  format: z.literal('docent-backup'),
  formatVersion: z.int(),
  /** The Docent version that wrote it. */
  program: z.string().max(100),
  createdAt: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  /** The last applied migration. */
  migration: z.string().max(100),
  /** Identifies the installation's secret key without revealing it. Null if there was none. */
  secretCheck: hash.nullable(),
  /** The entry that contains the secret key, if it was requested. */
  secret: part.nullable(),
  tables: z.array(tableSchema).max(1_000),
  repositories: z.array(repositorySchema),
})

export type BackupManifest = z.infer<typeof manifestSchema>
export type BackupTable = BackupManifest['tables'][number]
export type BackupRepository = BackupManifest['repositories'][number]
/** Size and checksum of an entry. */
export type EntrySum = z.infer<typeof part>

export function packEntry(repositoryId: string, sha256: string): string {
  return `repositories/${repositoryId}/${sha256}.pack`
}

/** @param number From 0. */
export function nameTableEntry(table: string, number: number): string {
  return `tables/${table}/${String(number + 1).padStart(6, '0')}.jsonl.gz`
}

/** Every entry except the manifest, in archive order. */
export function listEntries(manifest: BackupManifest): { name: string; sum: EntrySum }[] {
  const packs = manifest.repositories.flatMap(({ id, packs: own }) =>
    own.map((sum) => ({ name: packEntry(id, sum.sha256), sum })),
  )
  const parts = manifest.tables.flatMap((table) =>
    table.parts.map((sum, number) => ({ name: nameTableEntry(table.name, number), sum })),
  )
  const secret = manifest.secret === null ? [] : [{ name: secretName, sum: manifest.secret }]
  return [...packs, ...parts, ...secret]
}
