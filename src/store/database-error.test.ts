import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { AppError } from '../contract/app-error.ts'
import { DatabaseUnavailableError, isDiskFull, readDatabaseFault, toDatabaseError } from './database-error.ts'

const failing = (fields: object) => Object.assign(new Error('failed'), fields)

it.each([
  ['a full disk, by SQLite', { resultCode: 13 }, 'full'],
  ['a full disk, by Node itself', { errcode: 13, code: 'ERR_SQLITE_ERROR' }, 'full'],
  ['a full disk, by PostgreSQL', { code: '53100' }, 'full'],
  ['a full disk, by the system', { code: 'ENOSPC' }, 'full'],
  ['a quota', { code: 'EDQUOT' }, 'full'],
  ['a database that is read-only, by SQLite', { resultCode: 8 }, 'read-only'],
  ['a folder that is read-only, by an extended code', { resultCode: 8 | (6 << 8) }, 'read-only'],
  ['a standby', { code: '25006' }, 'read-only'],
  ['a file system that is read-only', { code: 'EROFS' }, 'read-only'],
  ['a disk that fails', { resultCode: 10 | (3 << 8) }, 'failing'],
  ['a file that cannot be opened', { resultCode: 14 }, 'failing'],
  ['a lock that is held', { resultCode: 5 }, 'busy'],
  ['a file that was moved', { resultCode: 8 | (4 << 8) }, 'moved'],
  ['a statement that took too long', { code: '57014' }, 'busy'],
  ['a wait for a lock that took too long', { code: '55P03' }, 'busy'],
  ['a deadlock', { code: '40P01' }, 'busy'],
  ['transactions that exclude each other', { code: '40001' }, 'busy'],
  ['a connection that was idle in a transaction for too long', { code: '25P03' }, 'unreachable'],
  ['too many connections', { code: '53300' }, 'unreachable'],
  ['a server that is shut down', { code: '57P01' }, 'unreachable'],
  ['a server that is away', { code: 'ECONNREFUSED' }, 'unreachable'],
  ['a damaged database, by SQLite', { resultCode: 11 }, 'damaged'],
  ['a file that is no database', { resultCode: 26 }, 'damaged'],
  ['a damaged database, by PostgreSQL', { code: 'XX001' }, 'damaged'],
  ['a constraint, by SQLite', { resultCode: 19 | (8 << 8) }, null],
  ['a constraint, by PostgreSQL', { code: '23505' }, null],
  ['a bug', {}, null],
] as const)('tells %s from a fault of the statement', (_name, fields, fault) => {
  const error = failing(fields)

  const thrown = toDatabaseError(error)

  expect(readDatabaseFault(error)).toBe(fault)
  expect(thrown).toMatchObject(fault === null ? error : { code: 'database_unavailable', fault, cause: error })
})

it('leaves statement errors unchanged, and recognizes its own errors', () => {
  const refusal = new AppError('conflict', 'Choose another name.')
  const full = new DatabaseUnavailableError('full')

  expect(toDatabaseError(refusal)).toBe(refusal)
  expect(toDatabaseError(full)).toBe(full)
})

it('tells the faults that last until an operator acts', () => {
  const faults = ['full', 'read-only', 'moved', 'busy', 'unreachable'] as const

  expect(faults.filter((fault) => isDiskFull(new DatabaseUnavailableError(fault)))).toEqual([
    'full',
    'read-only',
    'moved',
  ])
  expect(isDiskFull(new AppError('conflict', 'Choose another name.'))).toBe(false)
})

it.skipIf(process.platform !== 'linux')("recognizes the system's error for a full disk", async () => {
  const error: unknown = await writeFile('/dev/full', 'x').catch((failure: unknown) => failure)

  expect(isDiskFull(error)).toBe(true)
})
