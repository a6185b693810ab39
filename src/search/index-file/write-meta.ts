import type { DatabaseSync } from 'node:sqlite'

export function writeMeta(database: DatabaseSync, key: string, value: string | number | Uint8Array): void {
  database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value)
}

export const toBytes = (array: Int32Array | Uint16Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
