import { isDeepStrictEqual } from 'node:util'
import { sumRows } from '../store/migrations/load-rows.ts'
import { openPostgresSnapshot } from '../store/postgres/postgres-snapshot.ts'
import type { DatabaseSnapshot } from '../store/migrations/row-reader.ts'
import type { TableSum } from '../store/migrations/row-sum.ts'
import type { TableShape } from '../store/migrations/table-shapes.ts'
import type { CapturedRepository } from './capture-repositories.ts'

export interface EarlierMoveInput {
  databaseUrl: string
  /** Path of the embedded database. */
  snapshot: DatabaseSnapshot
  repositories: readonly CapturedRepository[]
  shapes: readonly TableShape[]
}

/**
 * Determines whether PostgreSQL already holds the contents of the embedded database, row by row and branch by branch.
 * If so, an earlier move was committed but never confirmed.
 *
 * @returns The checksums of all tables; null if anything differs.
 */
export async function findEarlierMove(input: EarlierMoveInput): Promise<ReadonlyMap<string, TableSum> | null> {
  const { databaseUrl, snapshot, repositories, shapes } = input
  const moved = await openPostgresSnapshot(databaseUrl)
  try {
    if (!isDeepStrictEqual(moved.migrations, snapshot.migrations)) return null
    const records = await moved.listRepositories()
    const isSame = records.every(({ id, state }, index) => {
      const own = repositories[index]
      return own?.id === id && state !== null && state.head === own.head && isDeepStrictEqual(state.refs, own.refs)
    })
    if (!isSame || records.length !== repositories.length) return null
    const sums = new Map<string, TableSum>()
    for (const shape of shapes) {
      const sum = await sumRows(moved, shape)
      if (!isDeepStrictEqual(sum, await sumRows(snapshot, shape))) return null
      sums.set(shape.name, sum)
    }
    return sums
  } finally {
    await moved.close()
  }
}
